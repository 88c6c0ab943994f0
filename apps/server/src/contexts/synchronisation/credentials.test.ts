/** Credentials of persons on the way to terminals: sent with the person, versioned like any other change, and not part of any history. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import { PROTOCOL_VERSION, bucketOf } from '@gatehouse/contract/device/protocol'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { accessMethod } from '@gatehouse/contract/enums'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type MadeDevice, type World } from '@gatehouse/dev-env/world'
import { startSealingDevice } from '../../../../../tests/support/sealing-device.ts'
import { query } from '../../../../../tests/support/embedded-postgres.ts'
import { openedLog } from '../../../../../tests/support/opened-log.ts'

let world: World
/** Milliseconds by which tests have moved the clock: cards are valid by days. */
let ahead = 0
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + ahead } })
})
afterAll(() => world?.stop())

const { manifest, changes, digest, persons, shelf, versions } = deviceProtocolCalls
/** Each kind of credentials is required by one of them. */
const EVERY_METHOD = [...accessMethod.values]
const as = (device: MadeDevice) => createClient(world.url, { basic: [device.code, device.secret] })

async function settled(): Promise<void> {
  await world.server.platform.events.settled()
  await world.server.contexts.synchronisation.service.settled()
}

async function standing(device: MadeDevice) {
  await settled()
  const { audience } = await as(device).call(manifest, {})
  return as(device).call(digest, { params: { audience } })
}

/** Create a door, and a person who may pass, whose credentials are changed by the call of the form. */
async function office(methods: number[] = EVERY_METHOD) {
  const park = await world.addPark()
  const group = await park.personGroup()
  const door = await park.device()
  const timeRule = await park.timeRule()
  const strategy = await park.strategy({ personGroups: [group], devices: [door], timeRules: [timeRule], methods })
  const ann = await park.person({ groupId: group.id, name: 'Ann' })
  async function give(fields: object): Promise<void> {
    const { version } = await park.call(peopleCalls.read, { query: { id: ann.id } })
    await park.call(peopleCalls.change, {
      body: { id: ann.id, version, name: 'Ann', workNumber: ann.workNumber, groupId: group.id, facePhotos: [], ...fields },
    })
    await settled()
  }
  const terminal = await startSealingDevice(world.url, door)
  return { park, group, door, ann, give, strategy, timeRule, terminal, pull: terminal.changes }
}

test('a card, a number and a password are one change each, and reach the terminal sealed', async () => {
  const { door, ann, give, pull, terminal } = await office()
  const before = await standing(door)
  const [without] = await terminal.persons(before.audience, [ann.id])
  expect(without).not.toHaveProperty('credentials')

  await give({ cardNumber: '00AF', cardNumberFormat: 'hex' })
  const card = await pull(before.audience, before.head)
  expect(card).toMatchObject({
    head: before.head + 1,
    gone: [],
    persons: [
      {
        id: ann.id,
        credentials: { cards: ['175'], idNumber: null, personalPassword: null, cardPassword: null, qrCodes: [], handprints: [] },
      },
    ],
  })
  expect(card.persons).toHaveLength(1)
  expect(card.persons[0]!.version).not.toBe(without!.version)

  await give({ cardNumber: '175', cardNumberFormat: 'decimal', idNumber: '11010119900307123X', personalPassword: '4711' })
  const all = await pull(before.audience, card.head)
  expect(all).toMatchObject({
    head: card.head + 1,
    persons: [{ credentials: { cards: ['175'], idNumber: '11010119900307123X', personalPassword: '4711' } }],
  })

  await give({ cardNumber: '', idNumber: '', personalPassword: '' })
  const gone = await pull(before.audience, all.head)
  expect(gone.persons).toEqual([without])
  expect((await standing(door)).buckets).toEqual(before.buckets)
  for (const secret of ['175', '11010119900307123X', '4711'])
    expect(
      terminal.travelled.filter((text) => text.includes(`"${secret}"`)),
      secret,
    ).toEqual([])
})

test('a device that cannot open what is sealed is told numbers of cards, and neither numbers of documents nor passwords', async () => {
  const { door, ann, give } = await office()
  const before = await standing(door)
  await give({ cardNumber: '175', idNumber: '11010119900307123X', personalPassword: '4711' })
  const { audience, head } = await standing(door)
  const params = { audience }
  const pages = [
    await as(door).call(changes, { params, query: { after: before.head, modelId: 'm' } }),
    await as(door).call(persons, { params, body: { ids: [ann.id], modelId: 'm' } }),
    await as(door).call(shelf, { params: { ...params, first: 0, count: 256 }, query: { modelId: 'm' } }),
  ]
  for (const page of pages) {
    expect(page).toMatchObject({
      head,
      persons: [{ id: ann.id, credentials: { cards: ['175'], idNumber: null, personalPassword: null, cardPassword: null } }],
    })
    expect(JSON.stringify(page)).not.toContain('11010119900307123X')
  }
})

test('what is sealed opens for its own person only, and under no key of another park', async () => {
  const { door, ann, give, terminal } = await office()
  await give({ personalPassword: '4711' })
  const { audience } = await standing(door)
  const other = await (await office()).terminal
  const [person] = (await as(door).call(persons, { params: { audience }, body: { ids: [ann.id], modelId: 'm', credentials: 'sealed' } }))
    .persons
  expect(terminal.open(ann.id, person!.sealedCredentials!)).toMatchObject({ personalPassword: '4711' })
  expect(() => terminal.open(crypto.randomUUID(), person!.sealedCredentials!)).toThrow('unable to authenticate data')
  expect(() => other.open(ann.id, person!.sealedCredentials!)).toThrow('unable to authenticate data')
})

test('keys with which nothing can be agreed are refused', async () => {
  const { door } = await office()
  const body = {
    protocol: PROTOCOL_VERSION,
    version: 'wire',
    modelId: 'none',
    epochs: ['wire'],
    sealingKey: Buffer.alloc(32).toString('base64url'),
  }
  expect(await as(door).ask(deviceProtocolCalls.pair, { body })).toMatchObject({
    status: 400,
    data: { fields: [{ path: 'sealingKey', rule: 'invalid' }] },
  })
})

test.each([
  [[accessMethod.face, accessMethod.devicePassword], undefined],
  [[accessMethod.face, accessMethod.card], { cards: ['175'], idNumber: null, personalPassword: null }],
  [[accessMethod.idCardAndFace, accessMethod.devicePassword], { cards: [], idNumber: '11010119900307123X', personalPassword: null }],
  [[accessMethod.personalPassword], { cards: [], idNumber: null, personalPassword: '4711' }],
  [[accessMethod.cardAndPassword], { cards: ['175'], idNumber: null, personalPassword: '4711' }],
])('where people pass by the methods %j a device is told no more than these ask for', async (methods, expected) => {
  const { door, ann, give, terminal } = await office(methods)
  await give({ cardNumber: '175', idNumber: '11010119900307123X', personalPassword: '4711' })
  const { audience } = await standing(door)
  const [person] = await terminal.persons(audience, [ann.id])
  if (expected === undefined) expect(person).not.toHaveProperty('credentials')
  else expect(person!.credentials).toMatchObject(expected)
  // What is compared is what is sent.
  expect((await as(door).call(versions, { params: { audience }, query: { buckets: String(bucketOf(ann.id)) } })).versions).toEqual([
    [ann.id, person!.version],
  ])
})

test('with another method the device is told what that asks for, and lets go of it afterwards', async () => {
  const { park, door, ann, give, pull, group, strategy, timeRule, terminal } = await office([
    accessMethod.face,
    accessMethod.devicePassword,
  ])
  await give({ cardNumber: '175', personalPassword: '4711' })
  const before = await standing(door)
  const [without] = await terminal.persons(before.audience, [ann.id])
  const change = async (methods: number[]) => {
    const body = { ...strategy, personGroupIds: [group.id], deviceIds: [door.id], timeRuleIds: [timeRule.id], methods }
    await park.call(strategyCalls.change, { body })
    await settled()
  }
  await change([accessMethod.face, accessMethod.card])
  const more = await pull(before.audience, before.head)
  expect(more.persons).toMatchObject([{ id: ann.id, credentials: { cards: ['175'], personalPassword: null } }])
  await change([accessMethod.face, accessMethod.devicePassword])
  expect((await pull(before.audience, more.head)).persons).toEqual([without])
})

test('the same card written otherwise is no change', async () => {
  const { door, give } = await office()
  await give({ cardNumber: '175', cardNumberFormat: 'decimal' })
  const before = await standing(door)
  await give({ cardNumber: '00af', cardNumberFormat: 'hex' })
  expect(await standing(door)).toEqual(before)
})

test('another park’s terminals, and terminals the person may not pass, hear of none of it', async () => {
  const { park, ann, give } = await office()
  const elsewhere = await park.device()
  const before = await standing(elsewhere)
  await give({ cardNumber: '4242424242' })
  expect(await standing(elsewhere)).toEqual(before)
  expect(
    (await as(elsewhere).call(persons, { params: { audience: before.audience }, body: { ids: [ann.id], modelId: 'm' } })).persons,
  ).toEqual([])
})

test('who is erased is gone from the terminal with all of it, and history never knew', async () => {
  const { park, door, ann, give, pull } = await office()
  await give({ cardNumber: '8421842184218', idNumber: '110101199003079991', personalPassword: '9753197531' })
  const before = await standing(door)
  await park.call(peopleCalls.delete, { query: {}, body: { ids: [ann.id] } })
  await settled()
  expect(await pull(before.audience, before.head)).toMatchObject({ persons: [], gone: [ann.id] })
  const history = JSON.stringify(await query(world.connectionString, 'SELECT * FROM history'))
  expect(history).toContain(ann.id)
  for (const secret of ['8421842184218', '110101199003079991', '9753197531']) expect(history).not.toContain(secret)
})

describe('the password of a card that was issued', () => {
  /** Return text without ids: an id may contain the six digits of a password by chance. */
  const withoutIds = (value: unknown): string => JSON.stringify(value).replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '')
  const DAY = 86_400_000
  const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10)
  /** In any zone of the park, a card with these dates is in force now. */
  const NOW = { effectiveDate: dayOf(Date.now() - 30 * DAY), expiryDate: dayOf(Date.now() + 30 * DAY) }

  /** Create an office in which cards are issued. Return what its door receives of its person. */
  async function desk() {
    const made = await office()
    const { park, ann, door, terminal } = made
    const issue = async (number: string, password: string | null, days = NOW) => {
      const { id } = await park.call(cardCalls.issue, { body: { personId: ann.id, type: 0, number, password, ...days } })
      await settled()
      return id
    }
    const revoke = async (id: string): Promise<void> => {
      await park.call(cardCalls.revoke, { query: { ids: [id] } })
      await settled()
    }
    const readPerson = async () => {
      const { audience } = await standing(door)
      const [person] = await terminal.persons(audience, [ann.id])
      return person!
    }
    /** Run the job for cards on another day; a session does not last that long. */
    const keepDatesOn = async (moment: number): Promise<void> => {
      ahead = moment - Date.now()
      try {
        await world.server.contexts.cards.keepDates()
      } finally {
        ahead = 0
      }
      await settled()
    }
    return { ...made, issue, revoke, readPerson, keepDatesOn }
  }

  test('comes with its card in one change, is another with another card, and leaves with it', async () => {
    const { door, issue, revoke, readPerson, pull } = await desk()
    const before = await standing(door)
    const without = await readPerson()
    const first = await issue('4001', '482913')
    const issued = await pull(before.audience, before.head)
    expect(issued).toMatchObject({
      head: before.head + 1,
      persons: [{ credentials: { cards: ['4001'], personalPassword: null, cardPassword: '482913' } }],
    })

    // The same number, another password.
    await revoke(first)
    const second = await issue('4001', '000007')
    const changed = await pull(before.audience, issued.head)
    expect(changed).toMatchObject({ persons: [{ credentials: { cards: ['4001'], cardPassword: '000007' } }] })
    expect(changed.persons[0]!.version).not.toBe(issued.persons[0]!.version)
    expect((await pull(before.audience, changed.head)).persons).toEqual([])

    // Lost: the terminal has neither, and is in its former state.
    await revoke(second)
    expect((await pull(before.audience, changed.head)).persons).toEqual([without])
    expect(without).not.toHaveProperty('credentials')
    expect((await standing(door)).buckets).toEqual(before.buckets)
  })

  test('a card without one says so, whatever the card before it had', async () => {
    const { give, issue, revoke, readPerson } = await desk()
    await give({ personalPassword: '4711' })
    await revoke(await issue('4002', '482913'))
    expect((await readPerson()).credentials).toMatchObject({ cards: [], personalPassword: '4711', cardPassword: null })
    await issue('4003', '')
    expect((await readPerson()).credentials).toMatchObject({ cards: ['4003'], personalPassword: '4711', cardPassword: null })
  })

  test('is of its card alone: whom the form gives another card has none, and it comes back with the card', async () => {
    const { door, ann, give, issue, revoke, readPerson } = await desk()
    const id = await issue('175', '482913')
    await give({ cardNumber: '4004' })
    expect((await readPerson()).credentials).toMatchObject({ cards: ['4004'], cardPassword: null })
    await give({ cardNumber: '00AF', cardNumberFormat: 'hex' })
    expect((await readPerson()).credentials).toMatchObject({ cards: ['175'], cardPassword: '482913' })
    await give({ cardNumber: '4004', cardNumberFormat: 'decimal' })
    await revoke(id)
    const { version, credentials } = await readPerson()
    expect(credentials).toMatchObject({ cards: ['4004'], cardPassword: null })
    // What is sent and what is compared agree, although the person's number is unchanged.
    const { audience } = await standing(door)
    expect((await as(door).call(versions, { params: { audience }, query: { buckets: String(bucketOf(ann.id)) } })).versions).toEqual([
      [ann.id, version],
    ])
  })

  test('begins and ends with the days of its card', async () => {
    const { door, issue, readPerson, keepDatesOn, pull } = await desk()
    const [from, to] = [Date.now() + 40 * DAY, Date.now() + 50 * DAY]
    const before = await standing(door)
    const without = await readPerson()
    await issue('4005', '482913', { effectiveDate: dayOf(from), expiryDate: dayOf(to) })
    expect(await readPerson()).toEqual(without)
    await keepDatesOn(from + 2 * DAY)
    const started = await pull(before.audience, before.head)
    expect(started.persons).toMatchObject([{ credentials: { cards: ['4005'], cardPassword: '482913' } }])
    await keepDatesOn(to + 2 * DAY)
    expect((await pull(before.audience, started.head)).persons).toEqual([without])
  })

  test('goes with whoever is erased, and stands nowhere else in clear', async () => {
    const { park, door, ann, issue, pull } = await desk()
    await issue('4006', '918273')
    const before = await standing(door)
    await park.call(privacyCalls.erase, { body: { personIds: [ann.id], reason: 'asked for' } })
    await settled()
    expect(await pull(before.audience, before.head)).toMatchObject({ persons: [], gone: [ann.id] })
    expect(await query(world.connectionString, `SELECT id FROM issued_card WHERE person_id = '${ann.id}'`)).toEqual([])
    for (const table of ['history', 'outbox'])
      expect(withoutIds(await query(world.connectionString, `SELECT * FROM ${table}`)), table).not.toContain('918273')
    expect(withoutIds(await openedLog(world))).not.toContain('918273')
  })
})
