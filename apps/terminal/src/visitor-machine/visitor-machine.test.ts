/** A visitor machine on a real terminal: what it keeps, what it does without a network, and what it tells. */
import { readdirSync, readFileSync } from 'node:fs'
import { createHash, createHmac, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { visitorStatus } from '@gatehouse/contract/enums'
import { removalText } from '@gatehouse/contract/device/removal'
import { testingFacePool } from '@gatehouse/dev-env/face-memo'
import { portrait, portraitVariant } from '@gatehouse/dev-env/portraits'
import { acceptedFace, type FacePool } from '@gatehouse/face-engine'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '../device/testing/folder.ts'
import { DEVICE } from '../device/testing/objects.ts'
import { encodeTemplate } from '../store/template.ts'
import { BLIND_ENGINE } from '../settings/testing/terminal.ts'
import { HOUR, machineWith, MINUTE, passOf, PASS_KEY, visitWith } from './testing/machine.ts'

const numbered = (count: number) =>
  Array.from({ length: count }, (_, place) => visitWith({ name: `Visitor-${place}`, phone: String(13_900_000_000 + place) }))

/** All bytes of a data folder. */
const contentOf = (folder: string): Buffer =>
  Buffer.concat(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(join(entry.parentPath, entry.name))),
  )

test('a visitor with a pass signs in and off, and the server has both, with what they concern', async () => {
  const ann = visitWith()
  const { server, post, go } = await machineWith([ann])
  const { answer: found } = await post('code', { text: passOf(ann), purpose: 'signIn' })
  expect(found).toMatchObject({ step: 'confirm', purpose: 'signIn', visitorName: 'Ann Li', hostName: 'Bob Wu' })
  const { answer: done } = await post('confirm', { session: found.session })
  expect(done).toMatchObject({ step: 'done', isDelivered: true, hasHost: true, hasBadge: true, printsBadge: true })
  // Asked again, nothing happens twice.
  expect((await post('confirm', { session: found.session })).answer).toEqual(done)
  expect(server.machine.events).toMatchObject([
    { visitId: ann.id, kind: 'signedIn', status: visitorStatus.notYetVisited, score: null, occurredAt: expect.any(Number) },
  ])
  expect(await go(ann)).toMatchObject({ step: 'done', purpose: 'signOff' })
  expect(server.machine.events.map(({ kind }) => kind)).toEqual(['signedIn', 'signedOff'])
  expect(await go(ann)).toMatchObject({ step: 'refused' })
})

test('50 visitors come and go during a cut with a restart in it: none is lost, none is there twice', async () => {
  const visitors = numbered(50)
  const machine = await machineWith(visitors)
  const { server } = machine
  server.isCutOff = true
  server.cut()
  await expect.poll(machine.isOnline).toBe(false)
  for (const visitor of visitors.slice(0, 30)) expect(await machine.go(visitor)).toMatchObject({ step: 'done', isDelivered: false })
  await machine.restart()
  for (const visitor of visitors.slice(30)) expect(await machine.go(visitor)).toMatchObject({ step: 'done' })
  // Signed in before the restart: the machine still knows, and offers to sign off.
  for (const visitor of visitors) expect(await machine.go(visitor, 'signOff')).toMatchObject({ step: 'done', purpose: 'signOff' })
  expect(server.machine.events).toEqual([])

  // The first answer is lost after the server has stored the events.
  server.machine.losesNextAnswer = true
  server.isCutOff = false
  await until('all events are stored', () => server.machine.events.length === 100)
  await machine.online()
  await machine.taken()
  expect(new Set(server.machine.events.map(({ id }) => id)).size).toBe(100)
  expect([...server.machine.outcomes.values()].filter((outcome) => outcome === 'conflict')).toEqual([])
  for (const { id } of visitors) {
    const own = server.machine.events.filter(({ visitId }) => visitId === id).map(({ kind }) => kind)
    expect(own).toEqual(['signedIn', 'signedOff'])
  }
  // Nothing waits any more, and nothing is sent again.
  const { arrivals } = server.machine
  await machine.taken()
  expect(server.machine.arrivals).toBe(arrivals)
  expect(arrivals).toBe(200)
})

test('what was answered before a cut, and changed at the desk meanwhile, is a conflict, and the status is that of the server', async () => {
  const ann = visitWith()
  const machine = await machineWith([ann])
  const { server } = machine
  server.isCutOff = true
  await expect.poll(machine.isOnline).toBe(false)
  expect(await machine.go(ann)).toMatchObject({ step: 'done' })
  server.machine.put({ ...ann, status: visitorStatus.cancelled })
  server.isCutOff = false
  await until('the event has arrived', () => server.machine.events.length === 1)
  await machine.taken()
  expect([...server.machine.outcomes.values()]).toEqual(['conflict'])
  expect(machine.sentences.join('\n')).toMatch(/1 events of visitors did not fit/)
  expect(await machine.go(ann)).toMatchObject({ step: 'refused' })
})

test('a page of visits that is under way does not set back what a visitor does meanwhile', async () => {
  const ann = visitWith()
  const machine = await machineWith([ann])
  const { server } = machine
  const arrived = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  server.machine.beforeVisits = () => {
    arrived.resolve()
    return released.promise
  }
  server.machine.put({ ...ann, hostName: 'Cid Sun' })
  await arrived.promise
  const { answer } = await machine.post('code', { text: passOf(ann), purpose: 'signIn' })
  const confirming = machine.post('confirm', { session: answer.session })
  const purpose = async () => (await machine.post('code', { text: passOf(ann), purpose: 'signIn' })).answer['purpose']
  await expect.poll(purpose).toBe('signOff')
  released.resolve()
  expect((await confirming).answer).toMatchObject({ step: 'done' })
  await until('the server knows', () => server.machine.events.length === 1)
  await machine.taken()
  expect((await machine.post('code', { text: passOf(ann), purpose: 'signIn' })).answer).toMatchObject({
    purpose: 'signOff',
    hostName: 'Cid Sun',
  })
})

test('an event that the server fails on does not hold up those of others', async () => {
  const [ann, bob] = [visitWith(), visitWith({ name: 'Bob' })]
  const machine = await machineWith([ann, bob])
  const { server } = machine
  server.isCutOff = true
  await expect.poll(machine.isOnline).toBe(false)
  await machine.go(ann)
  await machine.go(bob)
  const poison = server.machine.poison
  // The id is made by the machine, so the first event that arrives is the one the server fails on.
  server.machine.poison = { has: (id: string) => (poison.size === 0 ? poison.add(id).has(id) : poison.has(id)) } as Set<string>
  server.isCutOff = false
  await until('the other is stored', () => server.machine.events.length === 1)
  expect(server.machine.events[0]!.visitId).toBe(bob.id)
  server.machine.poison = new Set()
  await machine.restart()
  await until('both are stored', () => server.machine.events.length === 2)
})

test('files name neither visitors nor hosts, and contain no number, picture or certificate', async () => {
  const ann = visitWith({ name: 'Zenobia Quark', phone: '13876543210', hostName: 'Hostname Person' })
  const machine = await machineWith([ann], { certificateRequired: true })
  machine.server.isCutOff = true
  await expect.poll(machine.isOnline).toBe(false)
  const { answer } = await machine.post('code', { text: passOf(ann), purpose: 'signIn' })
  expect(answer.step).toBe('certificate')
  const certificate = { type: 'passport', number: 'E-7654321' }
  expect((await machine.post('certificate', { session: answer.session, certificate })).answer.step).toBe('confirm')
  expect((await machine.post('confirm', { session: answer.session })).answer.step).toBe('done')
  const words = ['Zenobia', '13876543210', 'Hostname', 'E-7654321']
  const readable = () => words.filter((word) => contentOf(machine.folder).includes(word))
  expect(readable()).toEqual([])
  await machine.stop()
  expect(readable()).toEqual([])
  await machine.restart()
  machine.server.isCutOff = false
  await until('the event has arrived', () => machine.server.machine.events.length === 1)
  expect(machine.server.machine.events[0]).toMatchObject({ certificateInfo: certificate })
})

describe('visits are let go', () => {
  const count = (machine: Awaited<ReturnType<typeof machineWith>>) => machine.server.machine.visits.size
  const step = async (machine: Awaited<ReturnType<typeof machineWith>>, visit: ReturnType<typeof visitWith>) =>
    (await machine.post('code', { text: passOf(visit), purpose: 'signIn' })).answer

  test('when the server says they are gone', async () => {
    const ann = visitWith()
    const machine = await machineWith([ann])
    machine.server.machine.visits.delete(ann.id)
    await machine.taken()
    expect(count(machine)).toBe(0)
    expect(await step(machine, ann)).toEqual({ step: 'refused', reason: 'notFound' })
  })

  test('when the device is no visitor machine any more, and fetched again when it is one', async () => {
    const ann = visitWith()
    const machine = await machineWith([ann])
    const page = () =>
      fetch(`${machine.terminal().url}visitor-machine`).then(async (answer) => ({ status: answer.status, text: await answer.text() }))
    expect(await page()).toMatchObject({ status: 200, text: expect.stringContaining('/visitor-machine/main.ts') })
    await machine.set(null)
    await until('they are let go', () => machine.sentences.some((sentence) => sentence.includes('no visitor machine any more: 1 visits')))
    expect(await page()).toMatchObject({ status: 404, text: expect.stringContaining('no visitor machine') })
    for (const path of ['phone', 'code', 'confirm', 'look', 'camera-code', 'certificate', 'leave'])
      expect(await machine.post(path, {})).toEqual({ status: 404, answer: { reason: 'noVisitorMachine' } })
    await machine.set({})
    await machine.taken()
    expect(await step(machine, ann)).toMatchObject({ step: 'confirm' })
  })

  test('when their person is erased', async () => {
    const [ann, bob] = [visitWith(), visitWith({ name: 'Bob' })]
    const machine = await machineWith([ann, bob])
    const { server } = machine
    server.isCutOff = true
    await expect.poll(machine.isOnline).toBe(false)
    await machine.go(ann)
    await machine.go(bob)
    server.audience.erasures = [{ id: 'e-1', personId: ann.personId! }]
    server.machine.visits.delete(ann.id)
    server.isCutOff = false
    server.changed()
    await until('it is carried out', () => server.statuses.at(-1)?.held?.erasure === 'e-1')
    await machine.taken()
    expect(await step(machine, ann)).toMatchObject({ step: 'refused', reason: 'notFound' })
    expect(await step(machine, bob)).toMatchObject({ purpose: 'signOff' })
  })

  test('when the server has removed the device', async () => {
    const ann = visitWith()
    const machine = await machineWith([ann])
    const { server } = machine
    const proof = (text: string) =>
      createHmac('sha256', createHash('sha256').update(DEVICE.secret).digest()).update(text).digest('base64url')
    server.removal = ({ code, nonce }) => ({
      deviceId: DEVICE.deviceId,
      proof: proof(removalText('removed', code, nonce, DEVICE.deviceId)),
    })
    server.secret = 'another'
    server.cut()
    await until('it is removed', () => machine.terminal().state().link.kind === 'removed')
    expect((await machine.post('code', { text: passOf(ann), purpose: 'signIn' })).status).toBe(404)
    await machine.stop()
    server.isCutOff = true
    await machine.restart()
    expect((await machine.post('code', { text: passOf(ann), purpose: 'signIn' })).status).toBe(404)
  })

  test('when their time is over, without the server too, and are not fetched again', async () => {
    let now = Date.now()
    const [ann, bob] = [visitWith(), visitWith({ name: 'Bob' })]
    const machine = await machineWith([ann, bob], {}, { clock: () => now })
    await machine.go(bob)
    now += 3 * HOUR
    await machine.taken()
    const later = { validTo: now + HOUR }
    const found = async (visit: typeof ann) => (await machine.post('code', { text: passOf(visit, later), purpose: 'signOff' })).answer
    expect(await found(ann)).toMatchObject({ step: 'refused', reason: 'notFound' })
    // Bob is still there and has to sign off.
    expect(await found(bob)).toMatchObject({ step: 'confirm', purpose: 'signOff' })
  })
})

describe('who stands there', () => {
  let pool: FacePool
  beforeAll(async () => {
    pool = testingFacePool({ workers: 1 })
    await pool.ready()
  })
  afterAll(() => pool.close())
  const templateOf = async (picture: Uint8Array) => encodeTemplate(acceptedFace(await pool.analyse(picture)).embedding)

  test('is known by the face: until then a number shows a masked name, and the third stranger is sent to the desk', async () => {
    const ann = visitWith({ template: await templateOf(await portrait(1)) })
    const { server, post } = await machineWith([ann], {}, { pool })
    const start = async () => (await post('phone', { phone: '138 0000 0001', purpose: 'signIn' })).answer
    const { session, ...found } = await start()
    expect(found).toEqual({ step: 'look', purpose: 'signIn', visitorName: 'A** L**', hostName: '', triesLeft: 3, trouble: null })
    expect((await post('confirm', { session })).answer).toMatchObject({ step: 'look' })
    const stranger = await portrait(7)
    const look = async (picture: Uint8Array) => (await post(`look?session=${session}`, picture)).answer
    expect(await look(Buffer.from('no picture'))).toMatchObject({ step: 'look', triesLeft: 3, message: expect.any(String) })
    expect(await look(stranger)).toMatchObject({ step: 'look', triesLeft: 2, visitorName: 'A** L**', trouble: { notMatched: true } })
    expect(await look(stranger)).toMatchObject({ triesLeft: 1 })
    expect(await look(stranger)).toEqual({ step: 'refused', reason: 'face' })
    expect(await look(await portraitVariant(1, 1))).toEqual({ step: 'left' })

    const again = await start()
    const matched = (await post(`look?session=${again.session}`, await portraitVariant(1, 1))).answer
    expect(matched).toMatchObject({ step: 'confirm', visitorName: 'Ann Li', hostName: 'Bob Wu' })
    expect((await post('confirm', { session: again.session })).answer).toMatchObject({ step: 'done', hasBadge: true })
    expect(server.machine.events).toMatchObject([{ kind: 'signedIn', score: expect.any(Number) }])
    expect(server.machine.events[0]!.score).toBeGreaterThanOrEqual(95)
  })

  test('cannot be known by a photo of another model, which is for the desk until it is fetched again', async () => {
    const ann = visitWith({ template: await templateOf(await portrait(1)) })
    const machine = await machineWith([ann], {}, { pool })
    machine.server.isCutOff = true
    await machine.restart({ pool: BLIND_ENGINE })
    const found = async () => (await machine.post('phone', { phone: ann.phone, purpose: 'signIn' })).answer
    expect(await found()).toEqual({ step: 'refused', reason: 'photo' })
    machine.server.isCutOff = false
    await machine.online()
    expect(await found()).toMatchObject({ step: 'look' })
  })
})

test('without a photo a number is enough, and nothing but a masked name is ever shown for it', async () => {
  const { server, post, terminal } = await machineWith([visitWith()])
  const { answer } = await post('phone', { phone: '13800000001', purpose: 'signIn' })
  expect(answer).toMatchObject({ step: 'confirm', visitorName: 'A** L**', hostName: '' })
  const done = (await post('confirm', { session: answer.session })).answer
  expect(done).toMatchObject({ step: 'done', visitorName: 'A** L**', hostName: '', hasHost: true, hasBadge: false })
  expect((await fetch(`${terminal().url}visitor-machine/badge?session=${answer.session}`)).status).toBe(404)
  expect(server.machine.events).toHaveLength(1)
})

test('unknown numbers all get the same answer, ten a minute; codes are not counted', async () => {
  const ann = visitWith()
  const { post } = await machineWith([ann])
  for (let each = 0; each < 10; each++)
    expect((await post('phone', { phone: `1370000000${each}`, purpose: 'signIn' })).answer).toEqual({ step: 'refused', reason: 'notFound' })
  expect((await post('phone', { phone: ann.phone, purpose: 'signIn' })).answer).toEqual({ step: 'wait', retryAfter: expect.any(Number) })
  expect((await post('code', { text: passOf(ann), purpose: 'signIn' })).answer).toMatchObject({ step: 'confirm' })
})

test('a visit that was accepted a moment ago is found, because the server is asked', async () => {
  const { server, post } = await machineWith([], {}, { visitsEvery: HOUR })
  const ann = visitWith()
  server.machine.put(ann)
  expect((await post('code', { text: passOf(ann), purpose: 'signIn' })).answer).toMatchObject({ step: 'confirm' })
})

test('passes that are foreign, altered or expired name nobody', async () => {
  const ann = visitWith()
  const { post } = await machineWith([ann])
  const reason = async (text: string) => (await post('code', { text, purpose: 'signIn' })).answer['reason']
  const text = passOf(ann)
  const altered = text.slice(0, 40) + (text[40] === 'A' ? 'B' : 'A') + text.slice(41)
  expect(await reason(altered)).toBe('passInvalid')
  expect(await reason('https://example.org')).toBe('passInvalid')
  expect(await reason(passOf(ann, { keyId: PASS_KEY.id === '00000000' ? '00000001' : '00000000' }))).toBe('passInvalid')
  expect(await reason(passOf(ann, { validTo: Date.now() - MINUTE }))).toBe('passExpired')
  // A pass for one use is not used up by showing it here.
  for (const _ of [1, 2])
    expect((await post('code', { text: passOf(ann, { oneUse: true }), purpose: 'signIn' })).answer.step).toBe('confirm')
})

test('a pass that another one has replaced names nobody, also where the machine is no door; the new one is asked for at once', async () => {
  const ann = visitWith()
  const { server, post } = await machineWith([ann], {}, { visitsEvery: HOUR })
  const reason = async (text: string) => (await post('code', { text, purpose: 'signIn' })).answer['reason']
  const renewed = '0123456789abcdef'
  expect((await post('code', { text: passOf(ann), purpose: 'signIn' })).answer.step).toBe('confirm')
  server.machine.put({ ...ann, passId: renewed })
  expect((await post('code', { text: passOf(ann, { id: renewed }), purpose: 'signIn' })).answer.step).toBe('confirm')
  expect(await reason(passOf(ann))).toBe('passInvalid')
})

test('a badge names who was signed in, with the code that was shown', async () => {
  const ann = visitWith()
  const { post, terminal } = await machineWith([ann])
  const { answer } = await post('code', { text: passOf(ann), purpose: 'signIn' })
  const badge = () => fetch(`${terminal().url}visitor-machine/badge?session=${answer.session}`)
  expect((await badge()).status).toBe(404)
  await post('confirm', { session: answer.session })
  expect(await (await badge()).json()).toEqual({
    visitorName: 'Ann Li',
    hostName: 'Bob Wu',
    companyName: 'North park',
    date: expect.any(Number),
    code: expect.stringMatching(/^data:image\/svg\+xml;base64,/),
  })
  await post('leave', { session: answer.session })
  expect((await badge()).status).toBe(404)
})

test('bad input is refused by its field, and a session that nobody began is over', async () => {
  const { post, terminal } = await machineWith([])
  for (const [path, body, field] of [
    ['phone', {}, 'phone'],
    ['phone', { phone: '1', purpose: 'stay' }, 'purpose'],
    ['phone', { phone: '1', purpose: 'signIn', more: 1 }, 'more'],
    ['code', { text: 'x'.repeat(513), purpose: 'signIn' }, 'text'],
    ['certificate', { session: 'x', certificate: { type: 'none', number: '1' } }, 'certificate.type'],
    ['certificate', { session: 'x', certificate: { type: 'other', number: ' ' } }, 'certificate.number'],
    ['confirm', 'no JSON', ''],
    ['look', new Uint8Array([1]), 'session'],
    ['camera-code?purpose=stay', new Uint8Array([1]), 'purpose'],
  ] as const)
    expect(await post(path, body)).toEqual({ status: 400, answer: { reason: 'invalid', field } })
  const session = randomUUID()
  for (const path of ['confirm', 'leave']) expect((await post(path, { session })).answer).toEqual({ step: 'left' })
  expect((await post(`look?session=${session}`, new Uint8Array([1]))).answer).toEqual({ step: 'left' })
  expect((await post('camera-code?purpose=signIn', Buffer.from('no picture'))).answer).toEqual({ step: 'left' })
  const foreign = await fetch(`${terminal().url}visitor-machine/phone`, {
    method: 'POST',
    body: '{}',
    headers: { origin: 'http://evil.example' },
  })
  expect(foreign.status).toBe(403)
})
