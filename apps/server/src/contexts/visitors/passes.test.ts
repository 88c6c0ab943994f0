/** QR passes of visitors at real terminals, with the server and without it. */
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import qrcode from 'qrcode'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { passBytes, passText, readPass, type VisitorPass } from '@gatehouse/contract/device/visitor-pass'
import { accessMethod, failReason } from '@gatehouse/contract/enums/access'
import { visitorSource, visitorStatus } from '@gatehouse/contract/enums/visitors'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { startWorld, type World, type WorldTerminal } from '@gatehouse/dev-env/world'
import { startTerminal, type DisclosedVerdict } from '@gatehouse/terminal'
import { wireClient } from '../../../../../tests/support/wire-device.ts'
import { until } from '../../../../../tests/support/until.ts'
import { createPassKeys } from './pass-keys.ts'
import { createReception, type Reception } from './testing/reception.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Longer than a verdict stands. */
const LATER = 60_000
const { qrCode, qrCodeAndFace, face, card } = accessMethod

let world: World
let guest: { file: Buffer; door: Buffer }
/** Milliseconds by which the clock of server and terminals is ahead. */
let ahead = 0
const after = (milliseconds: number): void => void (ahead += milliseconds)
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => Date.now() + ahead } })
  const [one] = world.photographs.people
  guest = { file: await one!.photo(1), door: await one!.photo(2) }
})
afterAll(() => world?.stop())

/** Show a code at a terminal as a reader does. */
async function showCode(terminal: Pick<WorldTerminal, 'url'>, text: string): Promise<DisclosedVerdict> {
  const response = await fetch(`${terminal.url}input/qr`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  })
  return (await response.json()) as DisclosedVerdict
}

/** A park in which visitors pass two doors by code, alone or with their face. */
async function park(options: { oneUse?: boolean } = {}) {
  const reception = await createReception(world)
  const { site, door, configure } = reception
  const back = await site.device({ name: 'Back door' })
  const byCode = await site.strategy({ kind: 'visitor', devices: [door, back], methods: [qrCode, qrCodeAndFace, face, card] })
  await configure({ approvalSwitch: false, qrOneUse: options.oneUse ?? false })
  const visit = (change: Parameters<Reception['visit']>[0] = {}) =>
    reception.visit({ accessGroupIds: [byCode.id], passMethods: [qrCode], cardNumber: null, ...change })
  const passOf = async (id: string) => (await site.call(visitorCalls.pass, { query: { id } })).pass
  const textOf = async (id: string) => (await passOf(id))!.text
  return { ...reception, back, visit, passOf, textOf }
}

const refusedBy = (reason: number) => ({ verdict: 'rejected', failReason: reason })

describe('the pass of a visit', () => {
  test('is there as long as the visitor may pass by a code, with a picture, and is read by those who see visits', async () => {
    const { site, visit, passOf, read } = await park()
    const { id } = await visit()
    const pass = (await passOf(id))!
    const { personId, visitTime, authorisationExpiry } = await read(id)
    expect(pass).toMatchObject({ oneUse: false, validFrom: visitTime - 30 * 60_000, validTo: authorisationExpiry })
    expect(pass.text.length).toBeLessThanOrEqual(200)
    expect(readPass(pass.text)?.pass).toMatchObject({ personId, oneUse: false })
    expect(pass.image).toMatch(/^data:image\/svg\+xml;base64,/)
    expect(await passOf(id)).toEqual(pass)

    const faceOnly = await visit({ passMethods: [card], cardNumber: '4711' })
    expect(await passOf(faceOnly.id)).toBeNull()
    expect((await site.call(visitorCalls.renewPass, { body: { id: faceOnly.id } })).pass).toBeNull()
    await site.call(visitorCalls.signOff, { body: { visits: [{ id, status: visitorStatus.checkedIn }], forced: true } })
    expect(await passOf(id)).toBeNull()
    const viewer = await world.session({ permissions: ['visitor.report'], park: site.park })
    expect((await viewer.ask(visitorCalls.pass, { query: { id } })).status).toBe(200)
    expect((await viewer.ask(visitorCalls.renewPass, { body: { id } })).status).toBe(403)
  })

  test('needs neither photo nor card at the desk; a code with a face needs the photo', async () => {
    const { site, visit } = await park()
    expect(await visit()).toMatchObject({ status: visitorStatus.checkedIn })
    const now = world.clock.now()
    const body = { source: visitorSource.temporary, name: 'Grace Hopper', reason: 1, visitTime: now, visitEndTime: now + HOUR } as const
    const { accessGroupIds } = await site.call(visitorCalls.read, { query: { id: (await visit()).id } })
    const refused = await site.ask(visitorCalls.create, {
      body: { ...body, phone: '13811112222', accessGroupIds, passMethods: [qrCodeAndFace] },
    })
    expect(refused.status).toBe(400)
  })

  test('follows the methods: it goes with the last one that needs it and is another one when that comes back', async () => {
    const { site, visit, textOf, passOf } = await park()
    const { id } = await visit({ passMethods: [qrCode, card], cardNumber: '815' })
    const first = readPass(await textOf(id))!.pass.id
    await site.call(visitorCalls.change, { body: { id, passMethods: [card] } })
    expect(await passOf(id)).toBeNull()
    await site.call(visitorCalls.change, { body: { id, passMethods: [qrCode] } })
    const second = readPass(await textOf(id))!.pass.id
    expect(second).not.toBe(first)
    // Another end of the visit does not make the pass void that was handed out.
    await site.call(visitorCalls.change, { body: { id, visitEndTime: world.clock.now() + 2 * DAY } })
    expect(readPass(await textOf(id))!.pass.id).toBe(second)
  })
})

describe('the key of a park', () => {
  test('is replaced after half a year and forgotten once the passes it signed have ended; it is not stored in clear', async () => {
    const { scope, visit, textOf } = await park()
    const keys = createPassKeys(world.server.platform)
    const { keyId } = readPass(await textOf((await visit()).id))!.pass
    const idsOf = async () => (await keys.publicKeys(scope)).map(({ id }) => id)
    const stored = await world.server.platform.db.selectFrom('visitPassKey').selectAll().where('parkId', '=', scope.parkId).execute()
    expect(stored.map(({ id }) => id)).toEqual([keyId])
    expect(() => createPrivateKey({ key: stored[0]!.privateKey!, format: 'der', type: 'pkcs8' })).toThrow(/./)
    await keys.rotate(scope)
    const [first, second, ...others] = await idsOf()
    expect([first, others]).toEqual([keyId, []])
    expect((await keys.job.run()).outcome).toBe('skipped')
    after(181 * DAY)
    await keys.job.run()
    after(-181 * DAY)
    expect(await idsOf()).toHaveLength(2)
    expect((await idsOf())[0]).toBe(second)
  })
})

describe('at a terminal', () => {
  test('a pass admits its visitor without the server, also by a former key, and no longer once the visitor is removed', async () => {
    const { site, scope, door, visit, textOf, read } = await park()
    const terminal = await world.terminal(door)
    const { id } = await visit()
    const text = await textOf(id)
    const { personId } = await read(id)
    await world.settled()
    await world.interrupted(async () => {
      expect(await showCode(terminal, text)).toMatchObject({ verdict: 'allowed', personId, personName: 'Grace Hopper' })
      after(LATER)
      expect(await showCode(terminal, text.toLowerCase())).toMatchObject({ verdict: 'allowed', personId })
    })
    await createPassKeys(world.server.platform).rotate(scope)
    await world.settled()
    after(LATER)
    expect(readPass(await textOf(id))!.pass.keyId).not.toBe(readPass(text)!.pass.keyId)
    for (const valid of [text, await textOf(id)]) {
      after(LATER)
      expect(await showCode(terminal, valid)).toMatchObject({ verdict: 'allowed', personId })
    }
    const record = await until('the record', async () => (await site.call(recordCalls.find, { body: { personId: personId! } })).content[0])
    expect(record.personName).toBe('Grace Hopper')

    await site.call(visitorCalls.signOff, { body: { visits: [{ id, status: visitorStatus.checkedIn }], forced: true } })
    await world.settled()
    after(LATER)
    await world.interrupted(async () => {
      expect(await showCode(terminal, text)).toMatchObject({ ...refusedBy(failReason.notRegistered), personId: null })
    })
  })

  test('a code with a face waits for the face of the visitor', async () => {
    const { door, visit, photo, textOf, read } = await park()
    const terminal = await world.terminal(door)
    const { id } = await visit({ passMethods: [qrCodeAndFace], facePhoto: await photo(guest.file) })
    const { personId } = await read(id)
    await world.settled()
    const text = await textOf(id)
    await world.interrupted(async () => {
      expect(await showCode(terminal, text)).toMatchObject({ verdict: 'pending', awaits: { factors: ['face'] } })
      expect(await terminal.show(guest.door)).toMatchObject({ verdict: 'allowed', personId })
    })
  })

  test('an altered, a foreign, a forged, a replaced, an early and an ended pass are refused for the code', async () => {
    const { site, door, visit, textOf } = await park()
    const terminal = await world.terminal(door)
    const { id } = await visit()
    const tomorrow = await visit({
      source: visitorSource.invitation,
      visitTime: world.clock.now() + DAY,
      visitEndTime: world.clock.now() + DAY + HOUR,
    })
    const text = await textOf(id)
    const other = await park()
    const foreign = await other.textOf((await other.visit()).id)
    const replaced = text
    const { pass: renewed } = await site.call(visitorCalls.renewPass, { body: { id } })
    await world.settled()
    const { pass: content } = readPass(renewed!.text)!
    const forged = (change: Partial<VisitorPass>) => {
      const pass = { ...content, ...change }
      return passText(pass, sign(null, passBytes(pass), generateKeyPairSync('ed25519').privateKey))
    }
    const early = await textOf(tomorrow.id)
    await world.interrupted(async () => {
      const wrong = [
        renewed!.text.slice(0, 60) + (renewed!.text[60] === 'A' ? 'B' : 'A') + renewed!.text.slice(61),
        renewed!.text.slice(0, -4),
        foreign,
        forged({}),
        forged({ validTo: content.validTo + DAY }),
        replaced,
        early,
        `GHP1/${content.id}`,
        `GHP2${renewed!.text.slice(4)}`,
      ]
      for (const one of wrong) {
        expect(await showCode(terminal, one)).toMatchObject({ ...refusedBy(failReason.qrCode), personId: null })
        after(LATER)
      }
      expect(await showCode(terminal, renewed!.text)).toMatchObject({ verdict: 'allowed' })
      after(3 * DAY)
      expect(await showCode(terminal, renewed!.text)).toMatchObject({ ...refusedBy(failReason.qrCode), personId: null })
      after(-3 * DAY)
    })
  })

  test('a pass held before the camera opens the door', async () => {
    const { door, visit, textOf } = await park()
    const terminal = await world.terminal(door)
    const { id } = await visit()
    await world.settled()
    const code = await sharp(await qrcode.toBuffer(await textOf(id), { scale: 6 }))
      .resize(300)
      .toBuffer()
    const picture = await sharp({ create: { width: 800, height: 600, channels: 3, background: '#667' } })
      .composite([{ input: code, left: 200, top: 150 }])
      .jpeg()
      .toBuffer()
    await until('the door to open', async () => {
      await fetch(`${terminal.url}frame?stream=1`, {
        method: 'POST',
        headers: { 'content-type': 'image/jpeg' },
        body: new Uint8Array(picture),
      })
      return terminal.state().door !== 'closed'
    })
  })
})

describe('a pass for one use', () => {
  test('admits once at a terminal without the server, and nowhere else once the server has heard of it', async () => {
    const { door, back, visit, textOf, passOf, site } = await park({ oneUse: true })
    const [front, rear] = [await world.terminal(door), await world.terminal(back)]
    const { id } = await visit()
    expect(await passOf(id)).toMatchObject({ oneUse: true })
    const text = await textOf(id)
    await world.settled()
    await world.interrupted(async () => {
      expect(await showCode(front, text)).toMatchObject({ verdict: 'allowed' })
      // The code that lies on the reader is not shown a second time.
      expect(await showCode(front, text)).toMatchObject({ verdict: 'allowed', repeated: true })
      after(LATER)
      expect(await showCode(front, text)).toMatchObject(refusedBy(failReason.qrCode))
    })
    await until('the server to have heard of it', async () => (await passOf(id)) === null)
    await world.settled()
    expect(await showCode(rear, text)).toMatchObject(refusedBy(failReason.qrCode))
    const { pass } = await site.call(visitorCalls.renewPass, { body: { id } })
    await world.settled()
    after(LATER)
    expect(await showCode(rear, pass!.text)).toMatchObject({ verdict: 'allowed' })
  })

  test('is refused at another terminal at once while both are online, whether or not that one has been notified', async () => {
    const { door, back, visit, textOf } = await park({ oneUse: true })
    const [front, rear] = [await world.terminal(door), await world.terminal(back)]
    const text = await textOf((await visit()).id)
    await world.settled()
    const verdicts = await Promise.all([showCode(front, text), showCode(rear, text)])
    expect(verdicts.map(({ verdict }) => verdict).toSorted()).toEqual(['allowed', 'rejected'])
    expect(verdicts.find(({ verdict }) => verdict === 'rejected')).toMatchObject(refusedBy(failReason.qrCode))
  })

  test('is answered the same when a device asks about the same passage once more, and refused for any other', async () => {
    const { door, visit, textOf } = await park({ oneUse: true })
    const { id: passId, personId } = readPass(await textOf((await visit()).id))!.pass
    await world.settled()
    const device = wireClient(world.url, door)
    const moment = world.clock.now()
    const ask = async (at: number, used = passId) =>
      (await device.ask(deviceProtocolCalls.verify, { body: { personId, moment: at, method: qrCode, score: null, passId: used } })).data
    expect(await ask(moment, '0102030405060708')).toEqual({ allowed: false, failReason: failReason.qrCode })
    for (let time = 0; time < 2; time++) expect(await ask(moment)).toEqual({ allowed: true, failReason: null })
    expect(await ask(moment + 1)).toEqual({ allowed: false, failReason: failReason.qrCode })
  })

  test('stays used after the terminal was restarted without the server', async () => {
    const { door, visit, textOf } = await park({ oneUse: true })
    const terminal = await world.terminal(door)
    const text = await textOf((await visit()).id)
    await world.settled()
    await world.interrupted(async () => {
      expect(await showCode(terminal, text)).toMatchObject({ verdict: 'allowed' })
      await terminal.stop()
      const restarted = await startTerminal({
        server: world.url,
        code: door.code,
        secret: door.secret,
        dataDir: `${world.dataDir}/terminal-${door.code}`,
        port: 0,
        clock: () => world.clock.now(),
      })
      after(LATER)
      expect(await showCode(restarted, text)).toMatchObject(refusedBy(failReason.qrCode))
      await restarted.stop()
    })
  })
})
