/** Keys, writing, issuing and palms, through the calls, with a real terminal as collector. Its cards are simulated. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { accessMethod, failReason } from '@gatehouse/contract/enums'
import { LEADER_KEY_HEX, PALM_IMAGE_MAX } from '@gatehouse/contract/limits'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { createClient } from '@gatehouse/dev-env/client'
import { startWorld, type Site, type World, type WorldTerminal } from '@gatehouse/dev-env/world'
import { sql } from '../../platform/database/database.ts'
import { openedLog } from '../../../../../tests/support/opened-log.ts'
import { startSealingDevice } from '../../../../../tests/support/sealing-device.ts'
import { until } from '../../../../../tests/support/until.ts'
import { fakeCpu, fakeM1, type FakeCard } from './testing/card.ts'

let world: World
/** Changed by tests, because cards start and end by date. */
let day = Date.UTC(2026, 5, 1, 4)
/** The card on the writer. */
let onWriter: FakeCard = fakeM1()
let collector: WorldTerminal

beforeAll(async () => {
  world = await startWorld({ clock: { now: () => day } })
  collector = await world.terminal(await world.device({ type: 13, name: 'Desk' }), {
    collector: { card: { read: async () => 'there' }, port: { transmit: (apdus) => onWriter.transmit(apdus) } },
  })
})
afterAll(() => world?.stop())

const VALUE = '00112233445566778899AABBCCDDEEFF'
const createKey = (at: Pick<Site, 'ask'>, body: object) =>
  at.ask(cardCalls.createKey, { body: { type: 'leader', name: 'Leader', ...body } as never })
const keyed = async (value = VALUE): Promise<void> => {
  expect((await createKey(world, { value, confirmation: value, replace: true })).code).toBe(0)
}
const fieldsOf = ({ data }: { data: unknown }) => (data as { fields?: { path: string; rule: string }[] } | undefined)?.fields

describe('keys', () => {
  test('a leader key has 16 or 32 hexadecimal characters, typed twice [VAL-186]', async () => {
    const park = await world.addPark()
    expect(LEADER_KEY_HEX).toEqual([16, 32])
    for (const value of [
      '',
      '0123',
      VALUE.slice(0, 15),
      VALUE.slice(0, 17),
      VALUE.slice(0, 24),
      VALUE.slice(1),
      `${VALUE}0`,
      `${VALUE.slice(1)}G`,
    ]) {
      const answer = await createKey(park, { value, confirmation: value })
      expect([answer.status, fieldsOf(answer)?.[0]?.path], value).toEqual([400, 'value'])
    }
    expect(fieldsOf(await createKey(park, { value: VALUE, confirmation: VALUE.slice(0, 16) }))).toMatchObject([
      { path: 'confirmation', rule: 'confirmation' },
    ])
    for (const value of [VALUE.slice(0, 16), VALUE.toLowerCase()])
      expect((await createKey(park, { value, confirmation: value, replace: true })).code).toBe(0)
  })

  test('a key is not created until a user creates it; then only its check value is shown [STATE:key:not created>created]', async () => {
    const park = await world.addPark()
    const states = async () =>
      (await park.call(cardCalls.keys, {})).map(({ type, status, checkValue }) => [type, status, checkValue !== ''])
    expect(await states()).toEqual([
      ['leader', 'notCreated', false],
      ['main', 'notCreated', false],
      ['init', 'notCreated', false],
    ])
    // The others are derived from it.
    expect(fieldsOf(await createKey(park, { type: 'main', name: 'Main' }))).toMatchObject([{ path: 'type', rule: 'keyMissing' }])
    const leader = await park.call(cardCalls.createKey, { body: { type: 'leader', name: 'Leader', value: VALUE, confirmation: VALUE } })
    expect(leader).toMatchObject({ status: 'created', checkValue: '2D1630', name: 'Leader' })
    await park.call(cardCalls.createKey, { body: { type: 'main', name: 'Main' } })
    expect(await states()).toEqual([
      ['leader', 'created', true],
      ['main', 'created', true],
      ['init', 'notCreated', false],
    ])
    expect(JSON.stringify(await park.call(cardCalls.keys, {}))).not.toContain(VALUE)
    const { rows } = await sql<{ value: Buffer }>`SELECT value FROM card_key WHERE park_id = ${park.park.id}`.execute(
      world.server.platform.db,
    )
    for (const { value } of rows) expect(value.includes(Buffer.from(VALUE, 'hex'))).toBe(false)
    expect(JSON.stringify(await openedLog(world)).toUpperCase()).not.toContain(VALUE)
  })

  test('a key that is there gives way only where that is said, and another leader key takes the others away', async () => {
    const park = await world.addPark()
    await createKey(park, { value: VALUE, confirmation: VALUE })
    await createKey(park, { type: 'init', name: 'Init' })
    expect(fieldsOf(await createKey(park, { value: VALUE, confirmation: VALUE }))).toMatchObject([{ path: 'replace', rule: 'keyThere' }])
    const short = VALUE.slice(0, 16)
    expect((await createKey(park, { value: short, confirmation: short, replace: true })).code).toBe(0)
    expect((await park.call(cardCalls.keys, {})).map(({ status }) => status)).toEqual(['created', 'notCreated', 'notCreated'])
  })
})

describe('writing', () => {
  const start = async (body: object = {}) =>
    (await world.call(cardCalls.startWrite, { body: { kind: 'leader', cardType: 0, deviceId: collector.device.id, ...body } as never })).id
  const next = async (id: string) => world.call(cardCalls.writeNext, { params: { id }, body: { seconds: 5 } })
  const read = (id: string) => world.call(cardCalls.write, { params: { id } })

  test('a leader card is written through the collector, and its row says how it went', async () => {
    await keyed()
    const id = await start()
    expect(await read(id)).toMatchObject({
      state: 'inProgress',
      total: 1,
      deviceName: 'Desk',
      items: [{ position: 1, state: 'inProgress', number: '' }],
    })
    const card = fakeM1('11223344')
    onWriter = card
    expect(await next(id)).toMatchObject({ outcome: 'written', item: { number: '11223344', state: 'success', reason: null } })
    expect(card.blocks.get(5)!.toString('hex').toUpperCase()).toBe(VALUE)
    expect(await read(id)).toMatchObject({ state: 'success', written: 1, failed: 0 })
    expect((await next(id)).outcome).toBe('over')
  })

  test('many init cards are put on in turn; which failed says why, and is taken up again', async () => {
    await keyed()
    await world.call(cardCalls.createKey, { body: { type: 'init', name: 'Init' } })
    const id = await start({ kind: 'init', cardType: 1, area: '3101', count: 3 })
    onWriter = fakeCpu('A1')
    expect((await next(id)).outcome).toBe('written')
    // The same card is still there.
    expect(await next(id)).toEqual({ outcome: 'twice', item: null })
    onWriter = fakeCpu('A2', { key: Buffer.alloc(16, 1) })
    expect(await next(id)).toMatchObject({
      outcome: 'failed',
      item: { position: 2, number: 'A2', state: 'failed', reason: 'authentication' },
    })
    onWriter = fakeCpu('A3')
    expect((await next(id)).outcome).toBe('written')
    expect(await read(id)).toMatchObject({ state: 'failed', total: 3, written: 2, failed: 1 })
    expect(await world.call(cardCalls.writeAgain, { params: { id } })).toEqual({ again: 1 })
    onWriter = fakeCpu('A4')
    expect(await next(id)).toMatchObject({ outcome: 'written', item: { position: 2, number: 'A4' } })
    expect(await read(id)).toMatchObject({ state: 'success', written: 3, failed: 0 })
  })

  test('a writing that is stopped keeps what was written and says what was not', async () => {
    await keyed()
    await world.call(cardCalls.createKey, { body: { type: 'init', name: 'Init' } })
    const id = await start({ kind: 'init', count: 2 })
    onWriter = fakeM1('B1')
    await next(id)
    await world.call(cardCalls.stopWrite, { params: { id } })
    expect((await read(id)).items).toMatchObject([{ state: 'success' }, { state: 'failed', reason: 'stopped' }])
  })

  test('the card area is the first 2 to 6 digits of ID numbers [VAL-187]', async () => {
    await keyed()
    await world.call(cardCalls.createKey, { body: { type: 'main', name: 'Main' } })
    const ask = (area: string) =>
      world.ask(cardCalls.startWrite, { body: { kind: 'main', cardType: 0, deviceId: collector.device.id, area } })
    for (const area of ['3', '3101015', '31A1', '-310'])
      expect(fieldsOf(await ask(area)), area).toMatchObject([{ path: 'area', rule: 'digits' }])
    for (const area of ['31', '310101', '']) expect((await ask(area)).code, area).toBe(0)
    const id = await start({ kind: 'main', area: '310101' })
    const card = fakeM1('C1')
    onWriter = card
    await next(id)
    expect(card.blocks.get(4)!.subarray(6, 10).toString('hex')).toBe('06310101')
  })

  test('without its key nothing begins; a terminal is no writer; one that is away is refused', async () => {
    const park = await world.addPark()
    const away = await park.device({ type: 4 })
    const body = { kind: 'leader', cardType: 0, deviceId: away.id } as const
    expect(fieldsOf(await park.ask(cardCalls.startWrite, { body }))).toMatchObject([{ path: 'kind', rule: 'keyMissing' }])
    await createKey(park, { value: VALUE, confirmation: VALUE })
    const door = await park.device()
    expect(fieldsOf(await park.ask(cardCalls.startWrite, { body: { ...body, deviceId: door.id } }))).toMatchObject([
      { path: 'deviceId', rule: 'unknown' },
    ])
    const { id } = await park.call(cardCalls.startWrite, { body })
    expect((await park.ask(cardCalls.writeNext, { params: { id }, body: {} })).code).toBe(400205)
    expect((await park.call(cardCalls.devices, {})).map((device) => device.id)).toEqual([away.id])
  })
})

describe('issuing', () => {
  let numbers = 7000
  const issue = (body: object, at: Site = world) =>
    at.ask(cardCalls.issue, {
      body: { type: 0, number: String(++numbers), effectiveDate: '2026-06-01', expiryDate: '2026-12-31', ...body } as never,
    })
  const cardOf = async (personId: string) => (await world.call(cardCalls.list, { query: { personId } })).content[0]
  const numberOf = async (id: string) => (await world.call(peopleCalls.read, { query: { id } })).cardNumber

  test('a card is the person’s number while it is in force, and nobody’s once it is taken back', async () => {
    const person = await world.person({ name: 'Mei Lin' })
    expect((await issue({ personId: person.id, number: '00af', numberFormat: 'hex', deviceId: collector.device.id })).code).toBe(0)
    expect(await numberOf(person.id)).toBe('00af')
    const card = await cardOf(person.id)
    expect(card).toMatchObject({
      personName: 'Mei Lin',
      number: '00af',
      status: 'success',
      inForce: true,
      issuingDevice: 'Desk',
      hasPassword: false,
    })
    expect(await world.call(cardCalls.list, { query: { name: 'Mei', number: '00AF', type: 0, status: 'success' } })).toMatchObject({
      total: 1,
    })
    expect(await world.call(cardCalls.revoke, { query: { ids: [card!.id] } })).toEqual({ revoked: 1 })
    expect([await numberOf(person.id), await cardOf(person.id)]).toEqual(['', undefined])
  })

  test('a number is one card, however it is written: 200207 on its field', async () => {
    const [one, other] = [await world.person({ cardNumber: '5550' }), await world.person()]
    const refused = await issue({ personId: other.id, number: '15AE', numberFormat: 'hex' })
    expect([refused.code, fieldsOf(refused)]).toEqual([200207, [{ path: 'number', rule: 'code.200207' }]])
    expect(await cardOf(other.id)).toBeUndefined()
    expect((await issue({ personId: one.id, number: '5551' })).code).toBe(0)
    // Not in force yet, but taken anyway.
    expect((await issue({ personId: other.id, number: '5551', effectiveDate: '2026-07-01' })).code).toBe(200207)
  })

  test('a card expires after it takes effect [VAL-188]', async () => {
    const { id: personId } = await world.person()
    for (const expiryDate of ['2026-05-31', '2026-06-01'])
      expect(fieldsOf(await issue({ personId, expiryDate })), expiryDate).toMatchObject([{ path: 'expiryDate', rule: 'periodOrder' }])
    expect((await issue({ personId, expiryDate: '2026-06-02' })).code).toBe(0)
    expect(fieldsOf(await issue({ personId, effectiveDate: '2026-06-02' }))).toMatchObject([{ path: 'effectiveDate', rule: 'cardOverlap' }])
  })

  test('a card’s password has six digits and is kept encrypted [VAL-027]', async () => {
    const { id: personId } = await world.person()
    for (const password of ['12345', '1234567', '12345a', '１２３４５６'])
      expect(fieldsOf(await issue({ personId, password })), password).toMatchObject([{ path: 'password', rule: 'digits' }])
    expect((await issue({ personId, password: '482913' })).code).toBe(0)
    expect(await cardOf(personId)).toMatchObject({ hasPassword: true })
    const { rows } = await sql<{ password: Buffer }>`SELECT password FROM issued_card WHERE person_id = ${personId}`.execute(
      world.server.platform.db,
    )
    expect(rows[0]!.password.toString('latin1')).not.toContain('482913')
  })

  test('a real terminal opens to a card with its password, and refuses the owner’s own or another, until the card has none', async () => {
    let moment = day
    const door = await world.terminal(undefined, { clock: () => moment })
    const show = async (input: 'card' | 'password', body: object) =>
      (await (await fetch(`${door.url}input/${input}`, { method: 'POST', body: JSON.stringify(body) })).json()) as {
        verdict: string
        failReason: number | null
      }
    const present = (number: string) => {
      // After this time a card no longer counts as the one that is still on the reader.
      moment += 30_000
      return show('card', { number })
    }
    const pass = async (number: string, password: string) => [(await present(number)).verdict, await show('password', { password })]
    const person = await world.person({ name: 'Carda', personalPassword: '4711' })
    await world.strategy({ persons: [person], devices: [door.device], methods: [accessMethod.cardAndPassword] })
    await issue({ personId: person.id, number: '660001', password: '482913' })
    await world.settled()
    expect(await pass('660001', '482914')).toMatchObject(['pending', { verdict: 'rejected', failReason: 21 }])
    expect(await pass('660001', '4711')).toMatchObject(['pending', { verdict: 'rejected', failReason: 21 }])
    expect(await pass('660001', '482913')).toMatchObject(['pending', { verdict: 'allowed', personId: person.id }])

    await world.call(cardCalls.revoke, { query: { ids: [(await cardOf(person.id))!.id] } })
    await world.settled()
    expect(await present('660001')).toMatchObject({ verdict: 'rejected', failReason: 904 })
    await issue({ personId: person.id, number: '660002' })
    await world.settled()
    expect(await pass('660002', '482913')).toMatchObject(['pending', { verdict: 'rejected', failReason: 21 }])
    expect(await pass('660002', '4711')).toMatchObject(['pending', { verdict: 'allowed', personId: person.id }])
    await door.stop()
  })

  test('a card begins and ends with its days', async () => {
    const [later, taken] = [await world.person(), await world.person()]
    await issue({ personId: later.id, number: '880001', effectiveDate: '2026-07-01', expiryDate: '2026-07-31' })
    await issue({ personId: taken.id, number: '880002', effectiveDate: '2026-07-01', expiryDate: '2026-07-31' })
    await world.person({ cardNumber: '880002' })
    expect([await numberOf(later.id), await cardOf(later.id)]).toMatchObject(['', { status: 'inProgress', inForce: false }])
    /** Run the job of cards on another day; the clock is reset afterwards, because a session does not last that long. */
    async function on(moment: number): Promise<void> {
      const today = day
      day = moment
      await world.server.contexts.cards.keepDates()
      day = today
    }
    await on(Date.UTC(2026, 6, 2, 4))
    expect([await numberOf(later.id), await cardOf(later.id)]).toMatchObject(['880001', { status: 'success', inForce: true }])
    expect(await cardOf(taken.id)).toMatchObject({ status: 'failed', reason: 'numberTaken', inForce: false })
    await on(Date.UTC(2026, 7, 2, 4))
    expect([await numberOf(later.id), await cardOf(later.id)]).toMatchObject(['', { inForce: false }])
  })

  test('who is deleted loses the card with everything else', async () => {
    const person = await world.person()
    await issue({ personId: person.id })
    await world.call(peopleCalls.delete, { query: { ids: [person.id] } })
    await world.server.platform.events.settled()
    const { rows } = await sql`SELECT id FROM issued_card WHERE person_id = ${person.id}`.execute(world.server.platform.db)
    expect(rows).toEqual([])
  })
})

describe('collecting', () => {
  const picture = (format: 'png' | 'jpeg' | 'webp') =>
    sharp({ create: { width: 640, height: 480, channels: 3, background: '#c48a6a' } })
      .toFormat(format)
      .toBuffer()
  let desk: WorldTerminal
  beforeAll(async () => {
    desk = await world.terminal(await world.device({ type: 13 }))
  })
  const show = (what: 'card' | 'palm', body: Buffer | string) =>
    until(`the collector to wait for a ${what}`, async () => {
      const response = await fetch(`${desk.url}collector/${what}`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: typeof body === 'string' ? body : new Uint8Array(body),
      })
      return response.status === 409 ? null : response.status
    })

  test('a card that is shown to the collector is answered, and none in time is none', async () => {
    const asked = world.call(cardCalls.collect, { body: { deviceId: desk.device.id, seconds: 30 } })
    expect(await show('card', JSON.stringify({ number: '04A1B2C3' }))).toBe(200)
    expect(await asked).toEqual({ cardNumber: '04A1B2C3' })
    expect(await world.call(cardCalls.collect, { body: { deviceId: desk.device.id, seconds: 1 } })).toEqual({ cardNumber: null })
    expect(await show('card', 'late\n'.repeat(30))).toBe(400)
  })

  test('whoever hangs up waits no longer, and the next is not in the way; two at once are refused', async () => {
    const leaving = new AbortController()
    // The request below may have been first.
    const wait = async (): Promise<unknown> => {
      const answer = await world.client.ask(cardCalls.collect, { body: { deviceId: desk.device.id, seconds: 60 } }, leaving.signal)
      return answer.code === 400206 ? wait() : answer
    }
    const gone = wait().catch(() => 'gone')
    await until(
      'the collector to be in use',
      async () => (await world.ask(cardCalls.collect, { body: { deviceId: desk.device.id, seconds: 1 } })).code === 400206,
    )
    leaving.abort()
    expect(await gone).toBe('gone')
    let isRead = false
    const answered = until('the collector to be free', async () => {
      const answer = await world.ask(cardCalls.collect, { body: { deviceId: desk.device.id, seconds: 30 } })
      return answer.code === 0 ? answer.data : null
    }).finally(() => (isRead = true))
    // The first card may still go to the cancelled request.
    await until('the card to be read', async () => {
      await fetch(`${desk.url}collector/card`, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '4711' })
      return isRead
    })
    expect(await answered).toEqual({ cardNumber: '4711' })
  })

  test('a palm is enrolled as JPEG or PNG, kept encrypted, and erased with the person', async () => {
    const person = await world.person({ name: 'Palma' })
    const enrol = (seconds = 30) => world.call(cardCalls.enrolPalm, { body: { personId: person.id, deviceId: desk.device.id, seconds } })
    for (const format of ['jpeg', 'png'] as const) {
      const asked = enrol()
      expect(await show('palm', await picture(format))).toBe(200)
      expect((await asked).palm).toMatchObject({ personId: person.id, deviceName: desk.device.name })
    }
    // After another kind of picture the collector waits again until the time is over.
    const asked = enrol(3)
    expect(await show('palm', await picture('webp'))).toBe(200)
    expect(await asked).toEqual({ palm: null })
    const palms = await world.call(cardCalls.palms, { query: { personId: person.id } })
    expect(palms).toHaveLength(2)
    expect((await fetch(`${world.url}${palms[0]!.url}`)).headers.get('content-type')).toBe('image/webp')
    await world.call(cardCalls.deletePalm, { params: { id: palms[0]!.id } })
    const { erasureIds } = await world.call(privacyCalls.erase, { body: { personIds: [person.id], reason: 'asked for' } })
    const { places } = await world.call(privacyCalls.read, { params: { id: erasureIds[0]! } })
    expect(places.find(({ place }) => place === 'cards')).toMatchObject({ count: 1 })
    const { rows } = await sql`SELECT id FROM person_palm WHERE person_id = ${person.id}`.execute(world.server.platform.db)
    expect(rows).toEqual([])
  })

  test('a palm with its template opens a door in a moment, another one is refused with 20, and deleted it opens nothing', async () => {
    const [owner, other] = [await world.person({ name: 'Palma Rosa' }), await world.person({ name: 'Palma Bianca' })]
    let moment = day
    const [byPalm, byCard] = [await world.terminal(undefined, { clock: () => moment }), await world.device()]
    await world.strategy({ persons: [owner, other], devices: [byPalm.device], methods: [accessMethod.handprint] })
    await world.strategy({ persons: [owner, other], devices: [byCard], methods: [accessMethod.card] })
    await world.settled()
    const template = (text: string) => Buffer.from(`template of ${text}`).toString('base64')
    const hold = async (text: string) => {
      // After this time a palm no longer counts as the one that is still on the reader.
      moment += 30_000
      const response = await fetch(`${byPalm.url}input/handprint`, { method: 'POST', body: JSON.stringify({ template: template(text) }) })
      return (await response.json()) as { verdict: string; failReason: number | null }
    }
    const enrol = async (personId: string, text: string) => {
      const asked = world.call(cardCalls.enrolPalm, { body: { personId, deviceId: desk.device.id, seconds: 30 } })
      const palm = { picture: (await picture('png')).toString('base64'), template: template(text) }
      expect(await show('palm', JSON.stringify(palm))).toBe(200)
      const enrolled = (await asked).palm!
      expect(enrolled).toMatchObject({ personId, hasTemplate: true })
      await world.settled()
      return enrolled
    }
    const refused = { verdict: 'rejected', failReason: failReason.handprintFailed }
    expect(await hold('a stranger')).toMatchObject(refused)
    const palm = await enrol(owner.id, 'Rosa')
    await enrol(other.id, 'Bianca')
    expect(await hold('Rosa')).toMatchObject({ verdict: 'allowed', personId: owner.id })
    expect(await hold('Bianca')).toMatchObject({ verdict: 'allowed', personId: other.id })
    expect(await hold('a stranger')).toMatchObject(refused)

    // Neither the database nor the door without this method has the template.
    const { rows } = await sql<{ template: Buffer }>`SELECT template FROM person_palm WHERE id = ${palm.id}`.execute(
      world.server.platform.db,
    )
    expect(rows[0]!.template.toString('latin1')).not.toContain('template of Rosa')
    const reader = await startSealingDevice(world.url, byCard)
    const { audience } = await createClient(world.url, { basic: [byCard.code, byCard.secret] }).call(deviceProtocolCalls.manifest, {})
    const [known] = await reader.persons(audience, [owner.id])
    expect(known).toMatchObject({ id: owner.id })
    expect(known).not.toHaveProperty('credentials')

    await world.call(cardCalls.deletePalm, { params: { id: palm.id } })
    await world.settled()
    expect(await hold('Rosa')).toMatchObject(refused)
    await world.call(privacyCalls.erase, { body: { personIds: [other.id], reason: 'asked for' } })
    await world.settled()
    expect(await hold('Bianca')).toMatchObject(refused)
    await byPalm.stop()
  })

  test('a device that opens nothing sealed gets no palm, and only the newest four of a person are sent', async () => {
    const person = await world.person()
    const door = await world.device()
    await world.strategy({ persons: [person], devices: [door], methods: [accessMethod.handprint] })
    const client = createClient(world.url, { basic: [desk.device.code, desk.device.secret] })
    const texts = ['1', '2', '3', '4', '5'].map((text) => Buffer.from(text).toString('base64'))
    for (const [place, template] of texts.entries()) {
      const id = crypto.randomUUID()
      await sql`INSERT INTO person_palm (id, park_id, person_id, device_id, device_name, created_at)
        VALUES (${id}, ${world.park.id}, ${person.id}, ${desk.device.id}, 'Desk', ${new Date(day + place * 1000)})`.execute(
        world.server.platform.db,
      )
      await client.call(cardCalls.sendPalm, { params: { id }, body: { template }, file: await picture('png') })
    }
    await world.settled()
    const device = createClient(world.url, { basic: [door.code, door.secret] })
    const { audience } = await device.call(deviceProtocolCalls.manifest, {})
    const plain = await device.call(deviceProtocolCalls.persons, { params: { audience }, body: { ids: [person.id], modelId: 'm' } })
    expect(plain.persons).toHaveLength(1)
    expect(plain.persons[0]).not.toHaveProperty('credentials')
    const reader = await startSealingDevice(world.url, door)
    expect(await reader.persons(audience, [person.id])).toMatchObject([{ credentials: { handprints: texts.slice(1).toReversed() } }])
  })

  test('a palm’s picture has at most 3 MB, and is taken only from the device that was asked [VAL-135]', async () => {
    expect(PALM_IMAGE_MAX).toBe(3 * 1024 * 1024)
    const { id: personId } = await world.person()
    const { parkId, device } = { parkId: world.park.id, device: desk.device }
    const id = crypto.randomUUID()
    // The row that a request of the server to a collector creates; here no request waits for the answer.
    await sql`INSERT INTO person_palm (id, park_id, person_id, device_id, device_name, created_at)
      VALUES (${id}, ${parkId}, ${personId}, ${device.id}, 'Desk', now())`.execute(world.server.platform.db)
    const send = (file: Uint8Array, from = device) =>
      createClient(world.url, { basic: [from.code, from.secret] }).ask(cardCalls.sendPalm, { params: { id }, body: {}, file })
    const whole = await picture('png')
    // A PNG may be followed by any bytes.
    const padded = (size: number) => Buffer.concat([whole, Buffer.alloc(size - whole.length)])
    expect((await send(padded(PALM_IMAGE_MAX + 1))).status).toBe(413)
    expect((await send(whole, collector.device)).status).toBe(404)
    expect((await send(padded(PALM_IMAGE_MAX))).code).toBe(0)
    expect((await send(whole)).status).toBe(404)
    expect(await world.call(cardCalls.palms, { query: { personId } })).toHaveLength(1)
  })
})
