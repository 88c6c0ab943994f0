/**
 * The main use case, with real photos where available: a person is registered, permitted, recognised by another picture, and shown at once
 * on the guard's screen.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { localTime } from '@gatehouse/access-rules'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { accessResult, failReason } from '@gatehouse/contract/enums'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { topics } from '@gatehouse/contract/realtime'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { startWorld, type Made, type MadePerson, type World, type WorldTerminal } from '@gatehouse/dev-env/world'
import { mosquittoMissing, startMosquitto, type Mosquitto } from '../support/mosquitto.ts'
import { until } from '../support/until.ts'

const photographs = openPhotographs()
const isReal = photographs.kind === 'real'
console.log(
  `The main job is tried with ${isReal ? 'photographs of real people' : 'drawn people: the photographs of real ones are not there'}.`,
)

const brokers = [
  { broker: 'the embedded broker', missing: null },
  { broker: 'Mosquitto', missing: mosquittoMissing },
]
for (const { broker, missing } of brokers) if (missing !== null) console.warn(`Not tried over ${broker}: ${missing}`)

describe.for(brokers.filter(({ missing }) => missing === null))('the main job over $broker', ({ broker }) => {
  let world: World
  let mosquitto: Mosquitto | null = null
  let resident: MadePerson
  let enrolled: Buffer
  let another: Buffer
  let stranger: Buffer

  beforeAll(async () => {
    if (broker === 'Mosquitto') mosquitto = await startMosquitto()
    world = await startWorld({ ...(mosquitto && { mqttUrl: mosquitto.url }) })
    const [person, other] = isReal ? ['colin_powell', 'hu_jintao'].map((identity) => photographs.person(identity)) : photographs.people
    if (person === undefined || other === undefined) throw new Error('there are not two people to photograph')
    ;[enrolled, another, stranger] = await Promise.all([person.photo(1), person.photo(2), other.photo(2)])
    resident = await world.person({ name: person.name, photo: enrolled })
  })
  afterAll(async () => {
    await world?.stop()
    await mosquitto?.stop()
  })

  /** Start a terminal at a door of its own that these rules open to the resident: always where none is given. */
  async function doorFor(timeRules?: Made[]): Promise<WorldTerminal> {
    const terminal = await world.terminal()
    await world.strategy({ persons: [resident], devices: [terminal.device], timeRules })
    await world.settled()
    return terminal
  }

  const recordsAt = async ({ device }: WorldTerminal) => (await world.call(recordCalls.find, { body: { deviceId: device.id } })).content

  test('a person is recognised from another photograph, and the record with its picture arrives live and in the list', async () => {
    const terminal = await doorFor()
    terminal.showCheckDetails(true)
    const live = await world.listen(topics.accessRecord)
    const verdict = await terminal.show(another)
    expect(verdict).toMatchObject({ verdict: 'allowed', failReason: null, personId: resident.id, personName: resident.name })
    expect(verdict.score).toBeGreaterThanOrEqual(80)

    const first = await live.row('the record', (row) => row.id === verdict.recordId)
    expect(first).toMatchObject({
      personName: resident.name,
      workNumber: resident.workNumber,
      deviceName: terminal.device.name,
      result: accessResult.allowed,
    })
    const pictured = await live.row('its picture', (row) => row.id === verdict.recordId && row.captureImage !== '')
    await live.stop()

    const [listed, ...others] = await recordsAt(terminal)
    expect(others).toEqual([])
    expect(listed).toMatchObject({ id: verdict.recordId, personId: resident.id, time: verdict.occurredAt })
    for (const address of [pictured.captureImage, pictured.captureThumbnail, listed!.registeredImage]) {
      const picture = await fetch(world.url + address)
      expect(picture.status).toBe(200)
      expect(picture.headers.get('content-type')).toBe('image/webp')
      expect((await picture.arrayBuffer()).byteLength).toBeGreaterThan(500)
    }
    const detail = await world.call(recordCalls.read, { params: { id: verdict.recordId! } })
    expect(detail.checks).toEqual(verdict.checks)
  })

  test('somebody else is turned away with 904 and kept as a stranger', async () => {
    const terminal = await doorFor()
    const verdict = await terminal.show(stranger)
    expect(verdict).toMatchObject({ verdict: 'rejected', failReason: failReason.notRegistered, personId: null, personName: '' })
    await world.settled()
    const { content } = await world.call(recordCalls.find, { body: { stranger: true, deviceId: terminal.device.id } })
    expect(content).toMatchObject([
      { id: verdict.recordId, personId: null, personName: '', result: accessResult.rejected, failReason: 904 },
    ])
    expect(content[0]!.captureImage).not.toBe('')
  })

  test('outside the permitted hours the person is turned away with 6, and let in once the rule is changed', async () => {
    const { weekday } = localTime(world.clock.now(), world.park.zone)
    // Two days away, so that the door does not open if midnight passes during the test.
    const rule = await world.timeRule({ periods: [{ weekday: ((weekday + 1) % 7) + 1, start: '00:00', end: '24:00' }] })
    const terminal = await doorFor([rule])
    expect(await terminal.show(another)).toMatchObject({
      verdict: 'rejected',
      failReason: failReason.outsidePassageTime,
      personId: resident.id,
    })

    const periods = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ weekday: day, start: '00:00', end: '24:00' }))
    await world.call(timeRuleCalls.change, { body: { id: rule.id, name: rule.name, periods } })
    await world.settled()
    expect(await terminal.show(another)).toMatchObject({ verdict: 'allowed', personId: resident.id })
  })

  test('a door nobody permitted knows the person by the server, and turns away with 19', async () => {
    const terminal = await world.terminal()
    await world.settled()
    // The terminal asks the server with a time-out: if the answer is late, the person counts as a stranger.
    const verdict = await until('the server to be asked in time', async () => {
      const seen = await terminal.show(another)
      return seen.personId === null ? null : seen
    })
    expect(verdict).toMatchObject({
      verdict: 'rejected',
      failReason: failReason.noAccessStrategy,
      personId: resident.id,
      personName: resident.name,
    })
  })

  test('a disabled person is turned away with 902, and let in when enabled again', async () => {
    const terminal = await doorFor()
    await world.call(peopleCalls.status, { body: { ids: [resident.id], status: 0 } })
    await world.settled()
    expect(await terminal.show(another)).toMatchObject({
      verdict: 'rejected',
      failReason: failReason.personReturned,
      personId: resident.id,
    })
    await world.call(peopleCalls.status, { body: { ids: [resident.id], status: 1 } })
    await world.settled()
    expect(await terminal.show(another)).toMatchObject({ verdict: 'allowed' })
  })

  test('a terminal without its server decides by itself and delivers its records once', async () => {
    const terminal = await doorFor()
    const verdicts = await world.interrupted(async () => {
      // An external broker goes on without the server.
      if (mosquitto === null) await until('the terminal to notice', () => terminal.state().link.kind === 'away')
      return [await terminal.show(another), await terminal.show(stranger), await terminal.show(another)]
    })
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['allowed', 'rejected', 'allowed'])
    await world.settled()
    const delivered = await recordsAt(terminal)
    expect(delivered.map(({ id }) => id)).toEqual(verdicts.map(({ recordId }) => recordId).toReversed())
    expect(delivered.every(({ captureImage }) => captureImage !== '')).toBe(true)
  })
})
