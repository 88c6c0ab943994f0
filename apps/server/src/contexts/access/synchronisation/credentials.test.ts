/** What persons show instead of a face, on its way to terminals: sent with the person, a change like any other, in no history. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import { bucketOf, deviceProtocolCalls, type ChangesPage } from '@gatehouse/contract/device/protocol'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type MadeDevice, type World } from '@gatehouse/dev-env/world'
import { query } from '../../../../../../tests/support/embedded-postgres.ts'

let world: World
/** How far tests have moved the clock: cards begin and end with their days. */
let ahead = 0
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + ahead } })
})
afterAll(() => world?.stop())

const { manifest, changes, digest, persons, versions } = deviceProtocolCalls
const as = (device: MadeDevice) => createClient(world.url, { basic: [device.code, device.secret] })

async function settled(): Promise<void> {
  await world.server.platform.events.settled()
  await world.server.contexts.access.service.synchronisation.settled()
}

async function standing(device: MadeDevice) {
  await settled()
  const { audience } = await as(device).call(manifest, {})
  return as(device).call(digest, { params: { audience } })
}

/** A door, and somebody who may pass, to whom things are given by the call of the form. */
async function office() {
  const park = await world.addPark()
  const group = await park.personGroup()
  const door = await park.device()
  await park.strategy({ personGroups: [group], devices: [door], timeRules: [await park.timeRule()] })
  const ann = await park.person({ groupId: group.id, name: 'Ann' })
  async function give(fields: object): Promise<void> {
    const { version } = await park.call(peopleCalls.read, { query: { id: ann.id } })
    await park.call(peopleCalls.change, {
      body: { id: ann.id, version, name: 'Ann', workNumber: ann.workNumber, groupId: group.id, facePhotos: [], ...fields },
    })
    await settled()
  }
  const pull = (audience: string, after: number): Promise<ChangesPage> =>
    as(door).call(changes, { params: { audience }, query: { after, modelId: 'm' } })
  return { park, group, door, ann, give, pull }
}

test('a card, a number and a password are one change each, and reach the terminal in clear', async () => {
  const { door, ann, give, pull } = await office()
  const before = await standing(door)
  const [without] = (await as(door).call(persons, { params: { audience: before.audience }, body: { ids: [ann.id], modelId: 'm' } })).persons
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
  await give({ cardNumber: '8421842184218', idNumber: '110101199003079991', personalPassword: '97531' })
  const before = await standing(door)
  await park.call(peopleCalls.delete, { query: {}, body: { ids: [ann.id] } })
  await settled()
  expect(await pull(before.audience, before.head)).toMatchObject({ persons: [], gone: [ann.id] })
  const history = JSON.stringify(await query(world.connectionString, 'SELECT * FROM history'))
  expect(history).toContain(ann.id)
  for (const secret of ['8421842184218', '110101199003079991', '97531']) expect(history).not.toContain(secret)
})

describe('the password of a card that was issued', () => {
  const DAY = 86_400_000
  const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10)
  /** In whichever zone the park lies, a card of these days is in force now. */
  const NOW = { effectiveDate: dayOf(Date.now() - 30 * DAY), expiryDate: dayOf(Date.now() + 30 * DAY) }

  /** An office in which cards are issued, and what its door is told of its person. */
  async function desk() {
    const made = await office()
    const { park, door, ann } = made
    const issue = async (number: string, password: string | null, days = NOW) => {
      const { id } = await park.call(cardCalls.issue, { body: { personId: ann.id, type: 0, number, password, ...days } })
      await settled()
      return id
    }
    const revoke = async (id: string): Promise<void> => {
      await park.call(cardCalls.revoke, { query: { ids: [id] } })
      await settled()
    }
    const held = async () => {
      const { audience } = await standing(door)
      const {
        persons: [person],
      } = await as(door).call(persons, { params: { audience }, body: { ids: [ann.id], modelId: 'm' } })
      return person!
    }
    /** Looks at the cards on another day; a session does not live as long. */
    const keepDatesOn = async (moment: number): Promise<void> => {
      ahead = moment - Date.now()
      try {
        await world.server.contexts.cards.keepDates()
      } finally {
        ahead = 0
      }
      await settled()
    }
    return { ...made, issue, revoke, held, keepDatesOn }
  }

  test('comes with its card in one change, is another with another card, and leaves with it', async () => {
    const { door, issue, revoke, held, pull } = await desk()
    const before = await standing(door)
    const without = await held()
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

    // Lost: the terminal knows neither, and is where it was before.
    await revoke(second)
    expect((await pull(before.audience, changed.head)).persons).toEqual([without])
    expect(without).not.toHaveProperty('credentials')
    expect((await standing(door)).buckets).toEqual(before.buckets)
  })

  test('a card without one says so, whatever the card before it had', async () => {
    const { give, issue, revoke, held } = await desk()
    await give({ personalPassword: '4711' })
    await revoke(await issue('4002', '482913'))
    expect((await held()).credentials).toMatchObject({ cards: [], personalPassword: '4711', cardPassword: null })
    await issue('4003', '')
    expect((await held()).credentials).toMatchObject({ cards: ['4003'], personalPassword: '4711', cardPassword: null })
  })

  test('is of its card alone: whom the form gives another card has none, and it comes back with the card', async () => {
    const { door, ann, give, issue, revoke, held } = await desk()
    const id = await issue('175', '482913')
    await give({ cardNumber: '4004' })
    expect((await held()).credentials).toMatchObject({ cards: ['4004'], cardPassword: null })
    await give({ cardNumber: '00AF', cardNumberFormat: 'hex' })
    expect((await held()).credentials).toMatchObject({ cards: ['175'], cardPassword: '482913' })
    await give({ cardNumber: '4004' })
    await revoke(id)
    const { version, credentials } = await held()
    expect(credentials).toMatchObject({ cards: ['4004'], cardPassword: null })
    // What is sent and what is compared say the same, although the person's number stayed.
    const { audience } = await standing(door)
    expect((await as(door).call(versions, { params: { audience }, query: { buckets: String(bucketOf(ann.id)) } })).versions).toEqual([
      [ann.id, version],
    ])
  })

  test('begins and ends with the days of its card', async () => {
    const { door, issue, held, keepDatesOn, pull } = await desk()
    const [from, to] = [Date.now() + 40 * DAY, Date.now() + 50 * DAY]
    const before = await standing(door)
    const without = await held()
    await issue('4005', '482913', { effectiveDate: dayOf(from), expiryDate: dayOf(to) })
    expect(await held()).toEqual(without)
    await keepDatesOn(from + 2 * DAY)
    const begun = await pull(before.audience, before.head)
    expect(begun.persons).toMatchObject([{ credentials: { cards: ['4005'], cardPassword: '482913' } }])
    await keepDatesOn(to + 2 * DAY)
    expect((await pull(before.audience, begun.head)).persons).toEqual([without])
  })

  test('goes with whoever is erased, and stands nowhere else in clear', async () => {
    const { park, door, ann, issue, pull } = await desk()
    await issue('4006', '918273')
    const before = await standing(door)
    await park.call(privacyCalls.erase, { body: { personIds: [ann.id], reason: 'asked for' } })
    await settled()
    expect(await pull(before.audience, before.head)).toMatchObject({ persons: [], gone: [ann.id] })
    expect(await query(world.connectionString, `SELECT id FROM issued_card WHERE person_id = '${ann.id}'`)).toEqual([])
    for (const table of ['history', 'operation_log', 'outbox'])
      expect(JSON.stringify(await query(world.connectionString, `SELECT * FROM ${table}`)), table).not.toContain('918273')
  })
})
