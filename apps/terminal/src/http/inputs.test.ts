/**
 * Every access method, and every setting that decides, at a running terminal: inputs of readers, keypad, sensors and camera go in, records
 * come out.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testingFacePool } from '@gatehouse/dev-env/face-memo'
import { portrait, portraitVariant } from '@gatehouse/dev-env/portraits'
import { DISTINCT_PORTRAITS, type FacePool } from '@gatehouse/face-engine'
import { accessMethod } from '@gatehouse/contract/enums'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { startTerminal } from '../terminal.ts'
import { scratchFolder, until } from '../device/testing/folder.ts'
import { DEVICE, idOf } from '../device/testing/objects.ts'
import { openDoor, standingDoor, type Door, type Somebody } from './testing/door.ts'

const [ANN, BOB, STRANGER] = DISTINCT_PORTRAITS

let pool: FacePool
let ann: Somebody
let bob: Somebody
let faceOfAnn: Uint8Array
let faceOfBob: Uint8Array
let stranger: Uint8Array
beforeAll(async () => {
  pool = testingFacePool({ workers: 1 })
  await pool.ready()
  ;[faceOfAnn, faceOfBob, stranger] = await Promise.all([portraitVariant(ANN, 1), portraitVariant(BOB, 1), portrait(STRANGER)])
  ann = {
    photo: await portrait(ANN),
    credentials: {
      cards: ['1234567890'],
      idNumber: '11010119900307123X',
      personalPassword: '4711',
      qrCodes: ['GATE/ann'],
      handprints: [Buffer.from('palm of ann').toString('base64')],
    },
  }
  bob = {
    photo: await portrait(BOB),
    credentials: { cards: ['42'], idNumber: '110101199003070001', personalPassword: '0815', cardPassword: '123456' },
  }
})
afterAll(() => pool.close())

const both = () => ({ ann, bob })
const ALL = accessMethod.values
type Step = readonly [path: string, body: object | Uint8Array]

const card = (number = '1234567890'): Step => ['input/card', { number }]
const chip = (number = '11010119900307123x', picture?: Uint8Array): Step => [
  'input/id',
  { number, source: 'chip', ...(picture && { portrait: Buffer.from(picture).toString('base64') }) },
]
const typedId = (number = '11010119900307123X'): Step => ['input/id', { number, source: 'typed' }]
const password = (text: string): Step => ['input/password', { password: text }]
const qr = (text = 'GATE/ann'): Step => ['input/qr', { text }]
const palm = (text = 'palm of ann'): Step => ['input/handprint', { template: Buffer.from(text).toString('base64') }]
const face = (photo = faceOfAnn): Step => ['frame', photo]

/** Show one input after the other. @returns the last answer; all before it must be pending */
async function showAll(door: Door, steps: readonly Step[]) {
  const answers = []
  for (const [path, body] of steps) answers.push(await door.show(path, body))
  for (const waiting of answers.slice(0, -1)) {
    expect(waiting).toMatchObject({ verdict: 'pending', recordId: null, personId: null, personName: '' })
    expect(waiting.awaits!.factors.length).toBeGreaterThan(0)
  }
  return answers.at(-1)!
}

describe('each access method', () => {
  // One door for all who pass and one for all who do not; each test starts as if nobody had come before.
  let now = Date.now()
  let passing: Door
  let refusing: Door
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-inputs-'))
  beforeAll(async () => {
    const standing = (name: string) => standingDoor(pool, both(), {}, { clock: () => now, dataDir: join(folder, name) })
    passing = await standing('passing')
    refusing = await standing('refusing')
    for (const { terminal } of [passing, refusing]) terminal.showCheckDetails(true)
  })
  afterAll(async () => {
    await passing?.end()
    await refusing?.end()
    rmSync(folder, { recursive: true, force: true })
  })
  const LONGER_THAN_ANY_PAUSE = 61_000
  async function resetDoor(door: Door, methods: readonly number[]): Promise<void> {
    now += LONGER_THAN_ANY_PAUSE
    door.server.records.clear()
    await door.set({ methods, devicePassword: '2468' })
  }

  /** Method · inputs · verify type of the record. */
  const METHODS: readonly (readonly [number, () => Step[], number])[] = [
    [1, () => [face()], 1],
    [2, () => [chip(), typedId()], 3],
    [3, () => [chip(), face()], 3],
    [4, () => [card()], 2],
    [5, () => [card(), face()], 4],
    [6, () => [qr()], 0],
    [7, () => [qr(), face()], 1],
    [8, () => [password('2468')], 0],
    [9, () => [password('2468'), face()], 1],
    [10, () => [password('4711'), face()], 1],
    [11, () => [password('4711'), face()], 1],
    [12, () => [palm()], 0],
    [13, () => [chip(undefined, faceOfAnn), face()], 3],
    [14, () => [card(), password('4711')], 2],
    [15, () => [password('4711')], 0],
  ]

  test.each(METHODS)('%i lets in by what it is made of, in either order, and the record says how', async (method, steps, verifyType) => {
    const door = passing
    await resetDoor(door, [method])
    // Method 13 has one order: a face is compared with the portrait only if the card was read before.
    const orders = steps().length === 2 && method !== 13 ? [steps(), steps().toReversed()] : [steps()]
    for (const order of orders) {
      const answer = await showAll(door, order)
      const anonymous = method === 8
      expect(answer).toMatchObject({
        verdict: 'allowed',
        failReason: null,
        personId: anonymous ? null : idOf('ann'),
        personName: anonymous ? '' : 'ann',
      })
      expect(answer.checks).toContainEqual({ code: 'method', ok: true, method })
      expect(answer.checks.map(({ ok }) => ok)).not.toContain(false)
    }
    const records = await door.records(orders.length)
    for (const record of records)
      expect(record).toMatchObject({ result: 1, failReason: null, verifyType, personId: method === 8 ? null : idOf('ann') })
    expect(records.map(({ hasPicture }) => hasPicture)).toEqual(orders.map((order) => order.some(([path]) => path === 'frame')))
  })

  test('all fifteen stand in the table above', () => expect(METHODS.map(([method]) => method)).toEqual([...ALL]))

  /** Inputs · methods that pass there · the fail reason · its verify type. */
  const REFUSED: readonly (readonly [string, readonly number[], () => Step[], number, number])[] = [
    ['a card of nobody', [4], () => [card('99')], 904, 2],
    ['a code of nobody', [6], () => [qr('GATE/nobody')], 5, 0],
    ['a hand of nobody', [12], () => [palm('of nobody')], 20, 0],
    ['a password of nobody', [15], () => [password('9999')], 21, 0],
    ['a password of nobody where that of the door is asked for', [8], () => [password('9999')], 21, 0],
    ['an ID card of nobody', [2], () => [chip('110101199003079999')], 904, 3],
    ['another number than that of the ID card', [2], () => [chip(), typedId('110101199003070001')], 102, 3],
    ['a number of nobody beside the ID card', [2], () => [chip(), typedId('1')], 4, 3],
    ["a card and somebody else's face", [5], () => [card(), face(faceOfBob)], 102, 4],
    ["a card and a stranger's face", [5], () => [card(), face(stranger)], 2, 4],
    ["a password and somebody else's face", [10], () => [password('4711'), face(faceOfBob)], 102, 1],
    ["a smart password and somebody else's face", [11], () => [password('4711'), face(faceOfBob)], 102, 1],
    ["the password of the door and a stranger's face", [9], () => [password('2468'), face(stranger)], 904, 1],
    ['a card and the wrong password', [14], () => [card(), password('0000')], 21, 2],
    ["a card with a password of its own, and the owner's", [14], () => [card('42'), password('0815')], 21, 2],
    ['a face that is not the one of the ID card', [13], () => [chip(undefined, faceOfBob), face()], 4, 3],
    ['an ID card whose picture cannot be read', [13], () => [chip(), face()], 4, 3],
    ['a card where faces pass', [1], () => [card()], 3, 2],
    ['a password where cards pass', [4], () => [password('4711')], 21, 0],
  ]

  test.each(REFUSED)('%s: refused', async (_name, methods, steps, failReason, verifyType) => {
    const door = refusing
    await resetDoor(door, methods)
    const answer = await showAll(door, steps())
    expect(answer).toMatchObject({ verdict: 'rejected', failReason })
    expect(answer.checks.at(-1)).toMatchObject({ ok: false })
    const [record] = await door.records(1)
    expect(record).toMatchObject({ result: 0, failReason, verifyType })
    expect(door.terminal.state().door).toBe('closed')
  })

  test('a card with a password of its own opens with it', async () => {
    const door = await openDoor(pool, both(), { methods: [14] })
    expect(await showAll(door, [card('42'), password('123456')])).toMatchObject({ verdict: 'allowed', personName: 'bob' })
  })

  test('somebody without a photograph passes by the card and is no exception; one whose photograph failed is, and passes too', async () => {
    const door = await openDoor(
      pool,
      {
        cid: { credentials: { cards: ['7'] } },
        dan: { credentials: { cards: ['8'] }, faces: [{ faceId: 'f', modelId: pool.modelId, template: 'AAAA' }] },
        eve: {},
      },
      { methods: [4] },
    )
    expect(door.server.statuses.at(-1)?.held).toMatchObject({ persons: 1, failed: 2 })
    expect(door.server.audience.exceptions.at(-1)!.exceptions).toMatchObject([
      { personId: idOf('eve'), reason: 'noFace' },
      { personId: idOf('dan'), reason: 'templateInvalid' },
    ])
    expect(JSON.stringify(door.server.audience.exceptions)).not.toContain('cards')
    expect(await door.show(...card('7'))).toMatchObject({ verdict: 'allowed', personName: 'cid' })
    expect(await door.show(...card('8'))).toMatchObject({ verdict: 'allowed', personName: 'dan' })
  })
})

describe('the second step', () => {
  test('that does not come in time is refused with 16, recorded, and says whose card it was', async () => {
    const door = await openDoor(pool, both(), { methods: [5], factorTimeoutMs: 1_000 })
    expect(await door.show(...card())).toMatchObject({ verdict: 'pending', awaits: { factors: ['face'] } })
    const [record] = await door.records(1)
    expect(record).toMatchObject({ result: 0, failReason: 16, verifyType: 2, personId: idOf('ann'), hasPicture: false })
    await door.set({ methods: [5] })
    expect(await showAll(door, [card(), face()])).toMatchObject({ verdict: 'allowed' })
  })

  test('is waited for by whoever stands before the camera, frame after frame, and the picture goes with the refusal', async () => {
    const door = await openDoor(pool, both(), { methods: [5] })
    const frame = (photo: Uint8Array) => door.show('frame?stream=1', photo)
    const first = await frame(faceOfAnn)
    expect(first).toMatchObject({ verdict: 'pending', awaits: { factors: ['card'] } })
    expect((await frame(faceOfAnn)).awaits).toEqual(first.awaits)
    await door.set({ methods: [5], factorTimeoutMs: 1_000 })
    await frame(faceOfBob)
    const [record] = await door.records(1)
    expect(record).toMatchObject({ failReason: 16, personId: idOf('bob'), verifyType: 1, hasPicture: true })
  })

  test('of a camera that catches a stranger once is looked for again', async () => {
    const door = await openDoor(pool, both(), { methods: [5] })
    await door.show(...card())
    expect(await door.show('frame?stream=1', stranger)).toMatchObject({ verdict: 'pending' })
    expect(await door.show('frame?stream=1', faceOfAnn)).toMatchObject({ verdict: 'allowed', personName: 'ann' })
  })

  test('a face nobody asks for does not spoil what is waited for', async () => {
    const door = await openDoor(pool, both(), { methods: [14] })
    await door.show(...card())
    expect(await door.show('frame?stream=1', faceOfAnn)).toMatchObject({ verdict: 'pending' })
    expect(await door.show(...password('4711'))).toMatchObject({ verdict: 'allowed' })
  })

  test('another card takes the place of the first', async () => {
    const door = await openDoor(pool, both(), { methods: [5] })
    await door.show(...card())
    await door.show(...card('42'))
    expect(await door.show(...face(faceOfBob))).toMatchObject({ verdict: 'allowed', personName: 'bob' })
    expect(await door.records(1)).toHaveLength(1)
  })

  test('screens are told what is waited for, and when it is over', async () => {
    const door = await openDoor(pool, both(), { methods: [5] })
    const ended = new AbortController()
    onTestFinished(() => ended.abort())
    const events = await fetch(`${door.terminal.url}events`, { signal: ended.signal })
    let received = ''
    void (async () => {
      for await (const bytes of events.body!) received += Buffer.from(bytes).toString()
    })().catch(() => {})
    const waits = () =>
      received
        .split('\n\n')
        .filter((event) => event.startsWith('event: awaiting'))
        .map((event) => JSON.parse(event.split('data: ')[1]!) as { factors: string[] } | null)
    await showAll(door, [card(), face()])
    await until('both were told', () => waits().length >= 3)
    expect(waits().map((wait) => wait?.factors ?? null)).toEqual([null, ['face'], null])
  })
})

describe('passwords', () => {
  test('after five wrong ones within a minute none is looked at for half a minute, not even the right one', async () => {
    let now = Date.now()
    const door = await openDoor(pool, both(), { methods: [15] }, { clock: () => now })
    for (let wrong = 0; wrong < 5; wrong++) {
      expect(await door.show(...password(`000${wrong}`))).toMatchObject({ failReason: 21 })
      now += 1_000
    }
    const { status, answer } = await door.post(...password('4711'))
    expect({ status, reason: answer.reason, retryAfter: answer.retryAfter }).toEqual({ status: 429, reason: 'paused', retryAfter: 29 })
    now += 29_000
    expect(await door.show(...password('4711'))).toMatchObject({ verdict: 'allowed' })
    expect(await door.records(6)).toHaveLength(6)
  })

  test('wrong ones over a longer time pause nothing', async () => {
    let now = Date.now()
    const door = await openDoor(pool, both(), { methods: [15] }, { clock: () => now })
    for (let wrong = 0; wrong < 6; wrong++) {
      expect(await door.show(...password('0000'))).toMatchObject({ failReason: 21 })
      now += 15_001
    }
    expect(await door.show(...password('4711'))).toMatchObject({ verdict: 'allowed' })
  })

  test('that of the door is fetched again when it changes, holds over a restart without the server, ends when there is none', async () => {
    const dataDir = scratchFolder()
    const door = await openDoor(pool, both(), { methods: [8], devicePassword: '2468' }, { dataDir })
    expect(await door.show(...password('2468'))).toMatchObject({ verdict: 'allowed' })
    await door.set({ methods: [8], devicePassword: '1357' })
    expect(await door.show(...password('2468'))).toMatchObject({ failReason: 21 })
    expect(await door.show(...password('1357'))).toMatchObject({ verdict: 'allowed' })
    await door.stop()
    const alone = await startTerminal({ server: 'http://127.0.0.1:9', code: DEVICE.code, secret: DEVICE.secret, dataDir, port: 0, pool })
    onTestFinished(() => alone.stop())
    const answer = await fetch(`${alone.url}input/password`, { method: 'POST', body: JSON.stringify({ password: '1357' }) })
    expect(await answer.json()).toMatchObject({ verdict: 'allowed' })
  })
})

describe('settings that decide', () => {
  test('verification mode: a method the terminal does not accept is refused in words, and those it accepts pass', async () => {
    const door = await openDoor(pool, both(), { methods: [1, 4, 6], configuration: { verificationMode: [1, 6] } })
    door.terminal.showCheckDetails(true)
    const refused = await door.show(...card())
    expect(refused).toMatchObject({ verdict: 'rejected', failReason: 3, personName: 'ann' })
    expect(refused.message).not.toBe('')
    expect(refused.checks.at(-1)).toEqual({ code: 'method', ok: false, method: 4 })
    expect(await door.show(...qr())).toMatchObject({ verdict: 'allowed' })
    expect(await door.show(...face())).toMatchObject({ verdict: 'allowed' })
  })

  test('low threshold: whoever stays below it is refused without asking the server', async () => {
    const door = await openDoor(pool, both(), {})
    expect(await door.show(...face(stranger))).toMatchObject({ failReason: 904 })
    expect(door.server.identifyCalls).toBe(1)
    await door.set({ configuration: { lowThreshold: 79 } })
    expect(await door.show(...face(stranger))).toMatchObject({ failReason: 904 })
    expect(door.server.identifyCalls).toBe(1)
  })

  test('intervals: what lies on the reader is one passage for as long as they say, after success and after failure', async () => {
    let now = Date.now()
    const door = await openDoor(
      pool,
      both(),
      { methods: [4], configuration: { successInterval: 2, failureInterval: 1 } },
      { clock: () => now },
    )
    for (const [number, seconds] of [
      ['1234567890', 2],
      ['99', 1],
    ] as const) {
      const first = await door.show(...card(number))
      now += seconds * 1000 - 1
      expect(await door.show(...card(number))).toMatchObject({ repeated: true, recordId: first.recordId, verdict: first.verdict })
      now += 1
      expect(await door.show(...card(number))).toMatchObject({ repeated: false, verdict: first.verdict })
    }
    expect(await door.records(4)).toHaveLength(4)
  })

  test('recognition distance: a face that is too far away is not decided about', async () => {
    const door = await openDoor(pool, both(), { configuration: { recognitionDistance: 0.5 } })
    const { width, height } = await sharp(faceOfAnn).metadata()
    const far = await sharp(faceOfAnn)
      .extend({ left: width, right: width, top: height, bottom: height, background: '#8090a0' })
      .jpeg({ quality: 95 })
      .toBuffer()
    const tooFar = await door.show(...face(far))
    expect(tooFar).toMatchObject({ verdict: 'rejected', failReason: null, reason: 201219, recordId: null })
    expect(tooFar.message).not.toBe('')
    await door.set({ configuration: { recognitionDistance: 2 } })
    expect(await door.show(...face(far))).toMatchObject({ verdict: 'allowed', personName: 'ann' })
  })

  test('card number format: the reader says hexadecimal digits, the card is the same', async () => {
    const door = await openDoor(pool, both(), { methods: [4], configuration: { cardNumberFormat: 'hex' } })
    expect(await door.show('input/card', { number: '499602D2' })).toMatchObject({ verdict: 'allowed', personName: 'ann' })
    expect(await door.show('input/card', { number: '1234567890', format: 'decimal' })).toMatchObject({
      verdict: 'allowed',
      personName: 'ann',
    })
  })

  test('mask: refused with 7, waited for until a sensor told, asked for where the rule only asks', async () => {
    const door = await openDoor(pool, both(), { methods: [1, 4], configuration: { maskRule: 'refuse' } })
    await door.show('input/sensor', { mask: false })
    expect(await door.show(...face())).toMatchObject({ verdict: 'rejected', failReason: 7, personName: 'ann' })
    await door.show('input/sensor', { mask: true })
    expect(await door.show(...face())).toMatchObject({ verdict: 'allowed' })

    expect(await door.show(...card())).toMatchObject({ verdict: 'pending', awaits: { factors: [] } })
    expect(await door.show('input/sensor', { mask: true })).toMatchObject({ awaits: null })
    expect(await door.show(...card())).toMatchObject({ verdict: 'pending' })
    const records = await door.records(4)
    expect(records.map(({ failReason, mask }) => [failReason, mask ?? null])).toEqual([
      [7, 0],
      [null, 1],
      [null, 1],
      [7, null],
    ])

    await door.set({ configuration: { maskRule: 'prompt', helmetRule: 'prompt' } })
    await door.show('input/sensor', { mask: false, helmet: true })
    expect(await door.show(...face())).toMatchObject({ verdict: 'allowed', prompts: ['mask'] })
    await door.set({ configuration: {} })
    await door.show('input/sensor', { mask: false })
    expect(await door.show(...face())).toMatchObject({ verdict: 'allowed', prompts: [] })
    expect((await door.records(6)).slice(4).map(({ mask, helmet }) => [mask, helmet ?? null])).toEqual([
      [0, 1],
      [0, null],
    ])
  })

  test('helmet: refused, with the check that tells why', async () => {
    const door = await openDoor(pool, both(), { methods: [4], configuration: { helmetRule: 'refuse' } })
    door.terminal.showCheckDetails(true)
    await door.show('input/sensor', { helmet: false })
    const refused = await door.show(...card())
    expect(refused).toMatchObject({ verdict: 'rejected', failReason: 99 })
    expect(refused.checks.at(-1)).toEqual({ code: 'helmet', ok: false, worn: 0 })
    await door.show('input/sensor', { helmet: true })
    expect(await door.show(...card())).toMatchObject({ verdict: 'allowed' })
  })

  test('temperature: fever is refused with 8, too low is noted, marks are no temperatures', async () => {
    const door = await openDoor(pool, both(), {
      methods: [4],
      configuration: { temperatureCheck: 1, temperatureMinimum: 35, temperatureMaximum: 37.3 },
    })
    const measurements: readonly (readonly [number, 'allowed' | 'rejected', number | null])[] = [
      [36.6, 'allowed', 2],
      [37.3, 'allowed', 2],
      [37.4, 'rejected', 1],
      [34.9, 'allowed', 3],
      [-1, 'rejected', 4],
      [-2, 'rejected', null],
    ]
    for (const [temperature, verdict] of measurements) {
      await door.show('input/sensor', { temperature })
      expect(await door.show(...card())).toMatchObject({ verdict, failReason: verdict === 'allowed' ? null : 8 })
    }
    const records = await door.records(measurements.length)
    expect(records.map(({ temperature, temperatureStatus }) => [temperature, temperatureStatus ?? null])).toEqual(
      measurements.map(([temperature, , status]) => [temperature, status]),
    )
    await door.set({ methods: [4] })
    await door.show('input/sensor', { temperature: 39 })
    expect(await door.show(...card())).toMatchObject({ verdict: 'allowed' })
    expect((await door.records(7)).at(-1)).toMatchObject({ temperature: 39, temperatureStatus: 1 })
  })
})

describe('what is no input', () => {
  test('is refused with its field, makes no record, and the next one is taken [FIELD-24]', async () => {
    const door = await openDoor(pool, both(), { methods: [4] })
    const odd: readonly (readonly [string, object | Uint8Array, string])[] = [
      ['input/card', {}, 'number'],
      ['input/card', { number: 'no digits' }, 'number'],
      ['input/card', { number: '1'.repeat(65) }, 'number'],
      ['input/id', { number: '1', source: 'found' }, 'source'],
      ['input/id', { number: '1', source: 'chip', portrait: '%' }, 'portrait'],
      ['input/password', { password: 4711 }, 'password'],
      ['input/qr', { text: '' }, 'text'],
      ['input/handprint', { template: '' }, 'template'],
      ['input/sensor', { temperature: 'hot' }, 'temperature'],
      ['input/card', Buffer.from('{"number":'), ''],
    ]
    for (const [path, body, field] of odd) {
      const { status, answer } = await door.post(path, body)
      expect([path, status, answer.field]).toEqual([path, 400, field])
    }
    expect(await door.show(...card())).toMatchObject({ verdict: 'allowed' })
    expect(await door.records(1)).toHaveLength(1)
  })

  test("comes from another site's page", async () => {
    const door = await openDoor(pool, both(), { methods: [4] }, { allowFrames: true })
    const from = (origin: string) =>
      fetch(`${door.terminal.url}input/card`, { method: 'POST', body: JSON.stringify({ number: '1234567890' }), headers: { origin } })
    expect((await from('https://elsewhere.example')).status).toBe(403)
    expect((await from(new URL(door.terminal.url).origin)).status).toBe(200)
  })

  test('to a terminal that never met its server', async () => {
    const terminal = await startTerminal({ server: 'http://127.0.0.1:9', code: 'X', secret: 'Y', dataDir: scratchFolder(), port: 0, pool })
    onTestFinished(() => terminal.stop())
    const answer = await fetch(`${terminal.url}input/card`, { method: 'POST', body: JSON.stringify({ number: '1' }) })
    expect(await answer.json()).toMatchObject({ verdict: 'rejected', failReason: 12, recordId: null })
  })
})
