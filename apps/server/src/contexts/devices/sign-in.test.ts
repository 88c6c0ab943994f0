/** How devices sign in: with a proof that they know their secret, or with the secret itself as long as their park accepts it. */
import { randomBytes } from 'node:crypto'
import { connectAsync } from 'mqtt'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { auditCalls } from '@gatehouse/contract/audit/calls'
import { deviceProofText, serverProofText } from '@gatehouse/contract/device/handshake'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { deviceAuthorisationStatus } from '@gatehouse/contract/enums/devices'
import { createClient, type Client } from '@gatehouse/dev-env/client'
import { startWorld, type Made, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'
import { askToPair, proofBy, provenClient, startWireDevice, wireClient } from '../../../../../tests/support/wire-device.ts'
import { clockAhead } from '../../../../../tests/support/clock-ahead.ts'
import { until } from '../../../../../tests/support/until.ts'

const { challenge: challengeCall, token: tokenCall, erasures } = deviceProtocolCalls
const MINUTE = 60_000

let world: World
const { clock, after } = clockAhead()
beforeAll(async () => {
  world = await startWorld({ clock })
})
afterAll(() => world?.stop())

type Device = Pick<MadeDevice, 'code' | 'secret'>
const unknown = { status: 401, code: 100412 }
const anybody = (): Client => createClient(world.url)
const nonceOf = (): string => randomBytes(16).toString('base64url')
const challengeFor = async (code: string, nonce = nonceOf()) => ({
  code,
  nonce,
  ...(await anybody().call(challengeCall, { body: { code, nonce } })),
})
/** Return the answer of a device to a challenge. */
const answerTo = ({ code, nonce, challenge }: { code: string; nonce: string; challenge: string }, secret: string) => ({
  code,
  nonce,
  challenge,
  proof: proofBy(secret, deviceProofText({ code, nonce, challenge })),
})
const answered = (body: ReturnType<typeof answerTo>) => anybody().ask(tokenCall, { body })
const opens = (http: Client) => http.ask(erasures, { query: {} })
const read = (site: Pick<Site, 'call'>, { id }: Made) => site.call(deviceCalls.read, { params: { id } })
const signIn = (site: Pick<Site, 'call'>) => site.call(deviceCalls.signIn, {})
const save = (site: Pick<Site, 'ask'>, secretsTaken: boolean, version?: number) =>
  site.ask(deviceCalls.saveSignIn, { body: { secretsTaken, ...(version !== undefined && { version }) } })

describe('a challenge', () => {
  test('is proved by the server, which knows the secret; for a code nobody has it looks alike, and proves nothing', async () => {
    const device = await world.device()
    const proven = async ({ code, secret }: Device): Promise<boolean> => {
      const { proof, ...said } = await challengeFor(code)
      return proof === proofBy(secret, serverProofText(said))
    }
    expect(await proven(device)).toBe(true)
    expect(await proven({ ...device, code: device.code.toLowerCase() })).toBe(true)
    expect(await proven({ ...device, secret: 'guessed' })).toBe(false)
    // That it also uses plain http is covered by the proof.
    const { proof, tlsOnly, ...asked } = await challengeFor(device.code)
    expect(tlsOnly).toBe(false)
    expect(proof).not.toBe(proofBy(device.secret, serverProofText({ ...asked, tlsOnly: true })))

    const nobody = 'NOBODY-HAS-THIS'
    const [known, unheard] = [await challengeFor(device.code), await challengeFor(nobody)]
    const shapeOf = (said: object) =>
      Object.entries(said).map(([field, value]) => [field, typeof value, field === 'code' || String(value).length])
    expect(shapeOf(unheard)).toEqual(shapeOf(known))
    for (const secret of ['', nobody, device.secret]) expect(await proven({ code: nobody, secret })).toBe(false)
    expect(await answered(answerTo(unheard, device.secret))).toMatchObject(unknown)
  })

  test('is another each time, and bound to what was asked', async () => {
    const { code } = await world.device()
    const nonce = nonceOf()
    const [one, other] = [await challengeFor(code, nonce), await challengeFor(code, nonce)]
    expect(one.challenge).not.toBe(other.challenge)
    expect(one.proof).not.toBe(other.proof)
  })
})

describe('a token', () => {
  test('is given for the right proof, and opens what a device may ask', async () => {
    const device = await world.device()
    expect(await read(world, device)).toMatchObject({ signedInBy: null })
    const { status, data } = await answered(answerTo(await challengeFor(device.code), device.secret))
    expect([status, data.expiresIn]).toEqual([200, 3600])
    const http = anybody().as({ bearer: data.token })
    expect((await askToPair(http)).data.deviceId).toBe(device.id)
    expect((await opens(http)).status).toBe(200)
    expect(await read(world, device)).toMatchObject({ signedInBy: 'proof', authorisationStatus: deviceAuthorisationStatus.authorised })
    // A call for users is refused to a device.
    expect((await http.ask(deviceCalls.summary, {})).status).toBe(401)
  })

  test('is given for no other proof, nor for a challenge that was changed, is for somebody else or too old', async () => {
    const [device, other] = [await world.device(), await world.device()]
    const said = await challengeFor(device.code)
    const right = answerTo(said, device.secret)
    const changed = Buffer.from(said.challenge, 'base64url')
    changed[3]! ^= 1
    const wrong = [
      answerTo(said, 'guessed'),
      answerTo(said, other.secret),
      { ...right, proof: proofBy(device.secret, serverProofText(said)) },
      { ...right, proof: said.proof },
      answerTo({ ...said, nonce: nonceOf() }, device.secret),
      answerTo({ ...said, code: other.code }, other.secret),
      answerTo({ ...said, challenge: changed.toString('base64url') }, device.secret),
      answerTo({ ...said, challenge: 'x'.repeat(said.challenge.length) }, device.secret),
    ]
    for (const body of wrong) expect(await answered(body), JSON.stringify(body)).toMatchObject(unknown)
    expect(await after(MINUTE - 5000, () => answered(right))).toMatchObject({ status: 200 })
    expect(await after(MINUTE + 5000, () => answered(right))).toMatchObject(unknown)
  })

  test('opens nothing an hour later, with another secret, or with any part of it changed', async () => {
    const device = await world.device()
    const http = await provenClient(world.url, device)
    const { bearer } = http.credentials as { bearer: string }
    expect((await opens(http)).status).toBe(200)
    expect((await after(59 * MINUTE, () => opens(http))).status).toBe(200)
    expect(await after(61 * MINUTE, () => opens(http))).toMatchObject(unknown)

    const other = await world.device()
    const [code, end, mac] = bearer.split('.') as [string, string, string]
    const otherMac = ((await provenClient(world.url, other)).credentials as { bearer: string }).bearer.split('.')[2]!
    const forged = [
      [code, String(Number(end) + 1), mac],
      [Buffer.from(other.code).toString('base64url'), end, mac],
      [code, end, otherMac],
      [code, end, mac.slice(0, -4)],
      [code, end, ''],
      [code, end],
      [code, end, mac, mac],
      ['', '', ''],
    ].map((parts) => parts.join('.'))
    // What cannot be a code is not looked up: PostgreSQL does not accept NUL.
    forged.push([Buffer.from(`${device.code}\0`).toString('base64url'), ...forged[0]!.split('.').slice(1)].join('.'))
    for (const token of forged) expect(await opens(http.as({ bearer: token })), token).toMatchObject(unknown)

    const { secret } = await world.call(deviceCalls.resetSecret, { params: { id: device.id }, body: {} })
    expect(await opens(http)).toMatchObject(unknown)
    expect((await opens(await provenClient(world.url, { ...device, secret }))).status).toBe(200)
    await world.call(deviceCalls.revoke, { params: { id: other.id } })
    await expect(provenClient(world.url, other)).rejects.toMatchObject(unknown)
  })

  test('goes on at a server that was started anew', async () => {
    const device = await world.device()
    const http = await provenClient(world.url, device)
    await world.interrupted(async () => {})
    expect((await opens(http)).status).toBe(200)
  })
})

describe('the secret itself', () => {
  test('opens the broker under the spelling of the code that is registered, so that nobody is overlooked when it ends', async () => {
    const device = await world.device({ code: `Spelt-${randomBytes(4).toString('hex')}` })
    const { broker } = (await askToPair(wireClient(world.url, { ...device, code: device.code.toUpperCase() }))).data
    expect(broker.username).toBe(device.code)
    const connect = (username: string) =>
      connectAsync(`mqtt://127.0.0.1:${broker.port}`, { username, password: broker.password, reconnectPeriod: 0 })
    for (const other of [device.code.toLowerCase(), device.code.toUpperCase()])
      await expect(connect(other)).rejects.toThrow(/not authorized|refused|closed/i)
    const own = await connect(broker.username)
    onTestFinished(() => own.endAsync(true))
    expect(own.connected).toBe(true)
  })

  test('of a code that was typed otherwise at the terminal brings the terminal online', async () => {
    const device = await world.device({ code: `Typed-${randomBytes(4).toString('hex')}` })
    const terminal = await world.terminal({ ...device, code: device.code.toUpperCase() })
    await world.settled()
    expect(await read(world, device)).toMatchObject({ onlineStatus: 1, signedInBy: 'proof' })
    await terminal.stop()
  })

  test('is taken until the park ends that: who came by it is cut off, and nobody else', async () => {
    const [site, elsewhere] = [await world.addPark(), await world.addPark()]
    const [old, modern, waiting] = [
      await site.device({ name: 'Old gate' }),
      await site.device({ name: 'Modern gate' }),
      await site.device({ name: 'New gate' }),
    ]
    const foreign = await elsewhere.device()
    const sends = await startWireDevice(world.url, old)
    const proves = await startWireDevice(world.url, modern, {}, await provenClient(world.url, modern))
    const abroad = await startWireDevice(world.url, foreign)
    expect(await signIn(site)).toEqual({ secretsTaken: true, version: 0, devices: [{ id: old.id, name: 'Old gate', code: old.code }] })
    expect(await read(site, old)).toMatchObject({ signedInBy: 'secret' })
    const { content } = await site.call(deviceCalls.list, { query: {} })
    expect(Object.fromEntries(content.map(({ name, signedInBy }) => [name, signedInBy]))).toEqual({
      'Old gate': 'secret',
      'Modern gate': 'proof',
      'New gate': null,
    })

    const { broker } = (await askToPair(sends.http)).data
    expect((await save(site, false, 0)).code).toBe(0)
    await until('the connection made by a secret to end', () => !sends.connected())
    await expect(
      connectAsync(`mqtt://127.0.0.1:${broker.port}`, { username: broker.username, password: broker.password, reconnectPeriod: 0 }),
    ).rejects.toThrow(/not authorized|refused|closed/i)
    expect(await opens(sends.http)).toMatchObject(unknown)
    expect(await askToPair(wireClient(world.url, old))).toMatchObject(unknown)
    expect(await askToPair(wireClient(world.url, waiting))).toMatchObject(unknown)
    expect(await askToPair(wireClient(world.url, modern))).toMatchObject(unknown)
    await world.server.platform.events.settled()
    expect([proves.connected(), abroad.connected()]).toEqual([true, true])
    expect((await opens(proves.http)).status).toBe(200)
    expect((await opens(abroad.http)).status).toBe(200)
    expect(await signIn(site)).toMatchObject({ secretsTaken: false, version: 1, devices: [{ id: old.id }] })
    expect(await signIn(elsewhere)).toMatchObject({ secretsTaken: true, devices: [{ id: foreign.id }] })

    // After an upgrade, it connects with the secret it has.
    expect((await askToPair(await provenClient(world.url, old))).code).toBe(0)
    expect(await signIn(site)).toMatchObject({ secretsTaken: false, devices: [] })
    expect((await save(site, true, 1)).code).toBe(0)
    expect((await askToPair(wireClient(world.url, waiting))).code).toBe(0)
    expect(await signIn(site)).toMatchObject({ secretsTaken: true, version: 2, devices: [{ id: waiting.id }] })
    // No device can connect whose authorisation was revoked.
    await site.call(deviceCalls.revoke, { params: { id: waiting.id } })
    expect((await signIn(site)).devices).toEqual([])
  })

  test('is for somebody to end who may pair devices; others only read it', async () => {
    const site = await world.addPark()
    const session = (permissions: string[]) => world.session({ park: site.park, permissions, roleSign: 'other' })
    const looks = await session(['device', 'device.list'])
    expect(await signIn(looks)).toMatchObject({ secretsTaken: true, version: 0 })
    expect(await save(looks, false)).toMatchObject({ status: 403, code: 100510 })
    expect(await save(await session(['own:device.pair']), false)).toMatchObject({ status: 403, code: 100510 })
    expect(await signIn(site)).toMatchObject({ secretsTaken: true, version: 0 })
    expect((await save(await session(['device', 'device.list', 'own:device.pair']), false)).code).toBe(0)
    expect(await signIn(looks)).toMatchObject({ secretsTaken: false, version: 1 })
  })

  test('is ended once: whoever read it before somebody else changed it is told, and the log says who', async () => {
    const site = await world.addPark()
    expect((await save(site, false, 0)).code).toBe(0)
    expect(await save(site, true, 0)).toMatchObject({ status: 409, data: { fields: [{ path: 'secretsTaken', rule: 'conflict' }] } })
    expect(await signIn(site)).toMatchObject({ secretsTaken: false, version: 1 })
    const [entry] = (await site.call(auditCalls.operations, { query: {} })).content
    expect(entry).toMatchObject({ method: 'PUT', url: '/bizService/uface/v1/device/signIn' })
    expect((await site.call(auditCalls.operation, { params: { id: entry!.id } })).changes).toMatchObject([
      { entity: 'setting', fields: [{ field: 'secretsTaken', before: true, after: false }] },
    ])
  })
})
