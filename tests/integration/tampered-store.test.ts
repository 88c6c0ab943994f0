/**
 * An attacker changes everything in a terminal's store that a decision reads, mostly while it is off. The change is detected at the start
 * or while the terminal runs, admits nobody, and is reported to the server, which sends the data again.
 */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { accessMethod, authorisedObject } from '@gatehouse/contract/enums'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { portrait } from '@gatehouse/dev-env/portraits'
import { startWorld, type MadeDevice, type MadePerson, type World } from '@gatehouse/dev-env/world'
import { startCore, type Core } from '../support/device.ts'
import { until } from '../support/until.ts'

const CARDS = { ann: '1000001', bob: '1000002' }
const VALID_TO = Date.UTC(2030, 0, 1)

let world: World
let door: MadeDevice
let ann: MadePerson
let bob: MadePerson
let core: Core | null = null
let folder: string

const start = (server = world.url) => (core = startCore({ server, code: door.code, secret: door.secret, folder }))

/** Change the file, as anyone with access to it can while the terminal is off. */
function inTheFile(change: (file: DatabaseSync) => void): void {
  const file = new DatabaseSync(join(folder, 'terminal.sqlite'), { enableForeignKeyConstraints: false })
  try {
    change(file)
  } finally {
    file.close()
  }
}

const run =
  (sql: string, ...values: (string | number)[]) =>
  (file: DatabaseSync) => {
    const { changes } = file.prepare(sql).run(...values)
    expect(changes, sql).toBeGreaterThan(0)
  }

/** Return all data a decision could read of a person, decrypted. */
function knownOf({ store: { holdings } }: Core, { id }: MadePerson, card: string) {
  const person = holdings.person(id)
  return {
    version: holdings.version(id),
    ...(person && { ...person, name: person.name, workNumber: person.workNumber }),
    contacts: person?.contacts?.map(({ id: contact, name, faceIds, human }) => ({ contact, name, faceIds, human })),
    strategies: holdings
      .strategiesOf(id)
      .map((strategy) => ({ ...strategy, rules: strategy.timeRuleIds.map((rule) => holdings.timeRules().get(rule)) })),
    holder: holdings.credentials.holderOf('card', card),
    exception: holdings.exceptions().get(id),
  }
}
const known = (device: Core) => ({
  ann: knownOf(device, ann, CARDS.ann),
  bob: knownOf(device, bob, CARDS.bob),
  faces: device.store.holdings.faces(),
  settings: device.store.holdings.settings(),
})
let whole: ReturnType<typeof known>

beforeAll(async () => {
  world = await startWorld()
  door = await world.device()
  folder = join(world.dataDir, 'gate')
  const { faceId: mother } = await world.call(faceCalls.cache, { body: {}, file: await portrait('tampered mother') })
  ann = await world.person({
    name: 'Ann',
    photo: await portrait('tampered ann'),
    cardNumber: CARDS.ann,
    validFrom: Date.UTC(2026, 0, 1),
    validTo: VALID_TO,
    contacts: [{ relation: 2, name: 'Mother', phone: '13900139000', gender: 2, photo: mother }],
  })
  bob = await world.person({ name: 'Bob', photo: await portrait('tampered bob'), cardNumber: CARDS.bob })
  await world.strategy({
    persons: [ann, bob],
    devices: [door],
    methods: [accessMethod.face, accessMethod.card],
    authorizedObject: authorisedObject.both,
  })
  const device = start()
  await until(
    'both to be held',
    () => device.names().length === 2 && device.store.holdings.credentials.holderOf('card', CARDS.bob) === bob.id,
  )
  whole = known(device)
  await device.stop()
})
afterAll(() => world.stop())

beforeEach(() => {
  core = null
})
afterEach(async () => {
  await core?.stop()
})

test('the terminal holds what was set', () => {
  expect(whole.ann).toMatchObject({ name: 'Ann', validTo: VALID_TO, holder: ann.id, contacts: [{ name: 'Mother' }], exception: undefined })
  expect(whole.bob).toMatchObject({ name: 'Bob', holder: bob.id, strategies: [{ rules: [{ name: 'Always' }] }] })
  expect(whole.faces).toBe(3)
})

/** Changes to the columns a decision reads of a person. */
const OF_ANN: [what: string, tamper: (file: DatabaseSync) => void][] = [
  ['a validity without an end', (file) => run('UPDATE person SET valid_to = NULL WHERE id = ?', ann.id)(file)],
  ['an end beyond all numbers', (file) => run('UPDATE person SET valid_to = 9223372036854775807 WHERE id = ?', ann.id)(file)],
  ['a validity that began before', (file) => run('UPDATE person SET valid_from = 0 WHERE id = ?', ann.id)(file)],
  ['a person disabled', (file) => run('UPDATE person SET enabled = 0 WHERE id = ?', ann.id)(file)],
  ['enabled as another kind of value', (file) => run("UPDATE person SET enabled = 'yes' WHERE id = ?", ann.id)(file)],
  ['a threshold everybody reaches', (file) => run('UPDATE person SET face_threshold = 1 WHERE id = ?', ann.id)(file)],
  ['another strategy', (file) => run(`UPDATE person SET strategy_ids = '["another"]' WHERE id = ?`, ann.id)(file)],
  ['look-alikes', (file) => run(`UPDATE person SET look_alikes = '["x"]' WHERE id = ?`, ann.id)(file)],
  ['contacts taken away', (file) => run("UPDATE person SET contacts = '[]' WHERE id = ?", ann.id)(file)],
  ['another human', (file) => run("UPDATE person SET human = 'somebody else' WHERE id = ?", ann.id)(file)],
  ['no name', (file) => run('UPDATE person SET sealed = NULL WHERE id = ?', ann.id)(file)],
  [
    'the name of another',
    (file) => run('UPDATE person SET sealed = (SELECT sealed FROM person WHERE id = ?) WHERE id = ?', bob.id, ann.id)(file),
  ],
  ['a failure that was none', (file) => run("UPDATE person SET failure = 'noFace' WHERE id = ?", ann.id)(file)],
  ['a version of nobody', (file) => run("UPDATE person SET version = 'no word' WHERE id = ?", ann.id)(file)],
  ['no mark', (file) => run('UPDATE person SET mark = NULL WHERE id = ?', ann.id)(file)],
  [
    'the mark of another',
    (file) => run('UPDATE person SET mark = (SELECT mark FROM person WHERE id = ?) WHERE id = ?', bob.id, ann.id)(file),
  ],
  ['a face less', (file) => run('DELETE FROM face WHERE person_id = ? AND id = ?', ann.id, ann.faceIds[0]!)(file)],
  ['a template cut off', (file) => run("UPDATE face SET template = x'00' WHERE person_id = ?", ann.id)(file)],
  ['credentials taken away', (file) => run('DELETE FROM credential WHERE person_id = ?', ann.id)(file)],
  ['no card to be found by', (file) => run('DELETE FROM credential_key WHERE person_id = ?', ann.id)(file)],
]
/** Changes that would admit one person as the other. */
const OF_BOTH: [what: string, tamper: (file: DatabaseSync) => void][] = [
  ['the face of one given to the other', (file) => run('UPDATE face SET person_id = ? WHERE person_id = ?', ann.id, bob.id)(file)],
  [
    'the card of one given to the other',
    (file) => run('UPDATE credential_key SET person_id = ? WHERE person_id = ?', ann.id, bob.id)(file),
  ],
]
const OF_RULES: [what: string, tamper: (file: DatabaseSync) => void][] = [
  [
    'a threshold of the device that everybody reaches',
    run(`UPDATE meta SET value = json_set(value, '$.threshold', 1) WHERE name = 'settings'`),
  ],
  ['settings taken away', run("DELETE FROM meta WHERE name = 'settings'")],
  ['another revision', run("UPDATE meta SET value = 'another' WHERE name = 'revision'")],
  ['a strategy by more methods', run(`UPDATE strategy SET body = json_set(body, '$.methods', json('[1,4,6,12,15]'))`)],
  ['a strategy less', run('DELETE FROM strategy')],
  ['a time rule without hours', run(`UPDATE time_rule SET body = json_set(body, '$.periods', json('[]'))`)],
  ['no mark of the rules', run("DELETE FROM meta WHERE name = 'rulesMark'")],
]

/** Start the terminal without its server, to see what it does by itself. */
const alone = () => start('http://127.0.0.1:9')

/** Start the terminal with its server, and wait until it stores what it stored before. */
async function healed(): Promise<void> {
  const device = start()
  await until('everything to be as it was', () => JSON.stringify(known(device)) === JSON.stringify(whole))
  expect(known(device)).toEqual(whole)
  await until('the server to know', async () => {
    const { personsHeld, personsFailed } = await world.call(deviceCalls.read, { params: { id: door.id } })
    return personsHeld === 2 && personsFailed === 0
  })
}

describe('found at the start, passed by nobody, and healed:', () => {
  test.each(OF_ANN)('%s', async (_, tamper) => {
    inTheFile(tamper)
    const { store, stop } = alone()
    const { holdings } = store
    expect([...holdings.exceptions().values()]).toEqual([{ personId: ann.id, version: 'f'.repeat(16), reason: 'tampered' }])
    expect(holdings.tampering()).toMatchObject({ persons: 1, rules: false })
    expect(holdings.person(ann.id)).toMatchObject({ enabled: false, strategyIds: [] })
    expect(holdings.credentials.holderOf('card', CARDS.ann)).toBeNull()
    // Persons whose data is unchanged can still pass.
    expect(knownOf(core!, bob, CARDS.bob)).toEqual(whole.bob)
    await stop()
    await healed()
  })

  test.each(OF_BOTH)('%s', async (_, tamper) => {
    inTheFile(tamper)
    const { store, stop } = alone()
    expect(new Set(store.holdings.exceptions().keys())).toEqual(new Set([ann.id, bob.id]))
    expect(store.holdings.faces()).toBe(0)
    expect(store.holdings.credentials.holderOf('card', CARDS.bob)).toBeNull()
    await stop()
    await healed()
  })

  test.each(OF_RULES)('%s', async (_, tamper) => {
    inTheFile(tamper)
    const { store, stop } = alone()
    expect([store.holdings.revision(), store.holdings.settings(), store.holdings.strategies()]).toEqual(['', null, []])
    expect(store.holdings.tampering()).toMatchObject({ persons: 0, rules: true })
    await stop()
    await healed()
  })

  test('people added, as copies of another', async () => {
    const added = '0198f3a0-2222-7000-8000-000000000cff'
    for (const id of [added, 'no id'])
      inTheFile(
        run(
          `INSERT INTO person (id, version, enabled, valid_from, valid_to, strategy_ids, failure, face_threshold, look_alikes,
            contacts, human, sealed, mark)
           SELECT ?, version, enabled, valid_from, valid_to, strategy_ids, failure, face_threshold, look_alikes, contacts, human,
             sealed, mark
           FROM person WHERE id = ?`,
          id,
          ann.id,
        ),
      )
    const { store, stop } = alone()
    expect([...store.holdings.exceptions().values()]).toEqual([{ personId: added, version: 'f'.repeat(16), reason: 'tampered' }])
    expect(store.holdings.person('no id')).toBeUndefined()
    expect(knownOf(core!, ann, CARDS.ann)).toEqual(whole.ann)
    await stop()
    await healed()
    await until('the added one to be gone', () => core!.store.holdings.person(added) === undefined)
  })
})

test('what is changed while it runs is found by looking through, and healed', async () => {
  const device = start()
  await until('it to be online', device.device.isOnline)
  const { changes } = device.store.database.prepare('UPDATE person SET valid_to = NULL, face_threshold = 1 WHERE id = ?').run(ann.id)
  expect(changes).toBe(1)
  device.device.synchronise()
  await until('it to be said', () => device.sentences.some((sentence) => /changed by others/.test(sentence)))
  await until('everything to be as it was', () => JSON.stringify(known(device)) === JSON.stringify(whole))
  expect(device.store.database.prepare('SELECT valid_to AS validTo FROM person WHERE id = ?').get(ann.id)).toEqual({ validTo: VALID_TO })
})

test('nothing is found where nobody changed anything, after changes of its own', async () => {
  const device = start()
  await until('it to be online', device.device.isOnline)
  const before = device.store.holdings.tampering()
  const rule = await world.timeRule()
  await world.call(timeRuleCalls.change, { body: { id: rule.id, name: 'Another name' } })
  await until('it to hold what it should', () => JSON.stringify(known(device)) === JSON.stringify(whole))
  expect(await device.store.holdings.verify()).toBeNull()
  await device.stop()
  expect(alone().store.holdings.tampering()).toEqual(before)
})
