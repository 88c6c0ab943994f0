import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { terminalForTest } from '../settings/testing/terminal.ts'
import { TERMINAL_VERSION } from '../terminal.ts'
import type { InstallCode } from '../upgrade/install.ts'
import { ConsoleRefusal } from './answers.ts'
import { macsOf } from './device.ts'
import { consoleOf, passwordSaid } from './testing/console.ts'

async function opened(change: Parameters<typeof terminalForTest>[0] = {}) {
  const started = await terminalForTest(change)
  const client = consoleOf(started.terminal, started.sentences)
  await client.logIn()
  return { ...started, ...client, password: passwordSaid(started.sentences) }
}

test('the device page tells version, engine, storage and what waits', async () => {
  const { call, terminal } = await opened()
  expect(await call('GET', 'device')).toMatchObject({
    code: 200,
    data: {
      code: terminal.state().code,
      name: 'North gate',
      version: TERMINAL_VERSION,
      engine: { name: 'Blind', modelId: 'blind-1' },
      link: 'online',
      persons: 0,
      localPeople: 0,
      disk: { total: expect.any(Number), free: expect.any(Number) },
      machine: { node: process.version },
      canRestart: false,
      canUpgrade: false,
    },
  })
})

test('hardware addresses are shown, and 404 where there is none that is one', () => {
  const address = (mac: string, internal = false) => [
    { mac, internal },
    { mac, internal },
  ]
  expect(
    macsOf({ lo: address('00:00:00:00:00:00', true), eth0: address('02:42:ac:11:00:02'), wlan0: address('dc:a6:32:01:02:03') }),
  ).toEqual([
    { name: 'eth0', mac: '02:42:AC:11:00:02' },
    { name: 'wlan0', mac: 'DC:A6:32:01:02:03' },
  ])
  for (const interfaces of [
    {},
    { lo: address('00:00:00:00:00:00', true) },
    { tun0: address('00:00:00:00:00:00') },
    { odd: address('none') },
  ]) {
    expect(() => macsOf(interfaces)).toThrow(ConsoleRefusal)
    try {
      macsOf(interfaces)
    } catch (error) {
      expect((error as ConsoleRefusal).code).toBe(404)
    }
  }
})

test('restoring the defaults asks for the password, answers 202, and leaves people where they are', async () => {
  const { call, logIn, sentences, password, terminal } = await opened()
  await call('PUT', 'settings', { volume: 5 })
  await call('PUT', 'screen', { checkDetails: 1 })
  await call('PUT', 'account', { account: 'gatekeeper', password, newPassword: 'Secret77' })
  expect(await call('POST', 'device/defaults', { password: 'wrong1' })).toMatchObject({ code: 525 })
  expect(terminal.state().settings.values.volume).toBe(5)
  expect(await call('POST', 'device/defaults', { password: 'Secret77' })).toMatchObject({
    code: 202,
    message: 'The factory settings have been restored.',
  })
  expect(terminal.state().settings.values.volume).toBe(60)
  expect(await (await fetch(`${terminal.url}state`)).json()).toMatchObject({ showsChecks: false })
  expect((await call('GET', 'device')).code).toBe(401)
  expect((await logIn('admin', 'Secret77')).code).toBe(400)
  expect(passwordSaid(sentences)).not.toBe(password)
  expect((await logIn()).code).toBe(200)
})

test('a restart is asked for with the password, and happens once the answer is out', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { call, password } = await opened({ onRestart: resolve })
  expect(await call('POST', 'device/restart', { password: 'wrong1' })).toMatchObject({ code: 525 })
  expect(await call('POST', 'device/restart', { password })).toMatchObject({ code: 200 })
  await promise
  const without = await opened()
  expect(await without.call('POST', 'device/restart', { password: without.password })).toMatchObject({ code: 999 })
})

test('while a package is put in place every call says 201: upgrading, do not power off; then the terminal restarts [BEH-209]', async () => {
  const restarted = Promise.withResolvers<void>()
  const received = Promise.withResolvers<string>()
  const installed = Promise.withResolvers<InstallCode>()
  const installPackage = (file: string) => {
    received.resolve(readFileSync(file, 'utf8'))
    return installed.promise
  }
  const { call, upload, folder } = await opened({ onRestart: restarted.resolve, installPackage })
  const answer = call('POST', 'device/upgrade', { upload: await upload(Buffer.from('a package')) })
  expect(await received.promise).toBe('a package')
  for (const path of ['people', 'device', 'settings'])
    expect(await call('GET', path)).toMatchObject({ code: 201, message: 'Upgrading. Do not switch the device off.', blocking: true })
  installed.resolve(201)
  expect(await answer).toMatchObject({ code: 201 })
  await restarted.promise
  expect(await call('GET', 'people')).toMatchObject({ code: 201 })
  expect(readdirSync(join(folder, 'uploads'))).toEqual([])
})

test('a package that is refused says why in the console’s codes, and the console goes on', async () => {
  const codes: InstallCode[] = [402, 403, 517, 526, 527, 540, 541, 542, 543]
  const left = [...codes]
  const { call, upload, folder } = await opened({ installPackage: async () => left.shift()! })
  for (const code of codes) {
    const answer = await call('POST', 'device/upgrade', { upload: await upload(Buffer.from('a package')) })
    expect(answer.code).toBe(code)
    expect(answer.message).not.toBe('')
    expect((await call('GET', 'people')).code).toBe(200)
  }
  expect(readdirSync(join(folder, 'uploads'))).toEqual([])
})

test('a terminal that is upgraded by other means says so; a file that did not arrive whole is 403, none 502', async () => {
  const { call, upload, folder, stop } = await opened()
  expect(await call('POST', 'device/upgrade', { upload: await upload(Buffer.from('a package')) })).toMatchObject({
    code: 527,
    message: expect.stringContaining('package manager'),
  })
  const { id } = (await call('POST', 'uploads', { size: 10 })).data as unknown as { id: string }
  expect((await call('PUT', `uploads/${id}?offset=5`, Buffer.from('later'))).code).toBe(510)
  expect((await call('PUT', `uploads/${id}?offset=0`, Buffer.from('first'))).code).toBe(200)
  expect((await call('PUT', `uploads/${id}?offset=5`, Buffer.from('too long'))).code).toBe(510)
  expect((await call('POST', 'device/upgrade', { upload: id })).code).toBe(403)
  expect((await call('POST', 'device/upgrade', { upload: id })).code).toBe(502)
  await stop()
  expect(existsSync(join(folder, 'uploads'))).toBe(false)
})

test('a large file arrives in pieces, byte for byte', async () => {
  const bytes = Buffer.alloc(9 * 1_048_576, 'gatehouse')
  const arrived = Promise.withResolvers<boolean>()
  const installPackage = async (file: string): Promise<InstallCode> => {
    arrived.resolve(readFileSync(file).equals(bytes))
    return 540
  }
  const { call, upload } = await opened({ installPackage })
  expect((await call('POST', 'device/upgrade', { upload: await upload(bytes) })).code).toBe(540)
  expect(await arrived.promise).toBe(true)
})

test('a terminal without a key takes no package; somebody who stands there chooses the first key, with the password', async () => {
  const trusted: string[] = []
  const upgradeKeys = {
    fingerprints: () => trusted,
    trust(pem: string) {
      if (!pem.startsWith('a key')) throw new Error('There is no public key in it.')
      trusted.push(pem)
    },
  }
  const installed: string[] = []
  const installPackage = async (file: string): Promise<InstallCode> => (installed.push(file), 201)
  const { call, upload, password } = await opened({ installPackage, upgradeKeys })
  expect((await call('GET', 'device')).data).toMatchObject({ upgradeKeys: [] })
  expect(await call('POST', 'device/upgrade', { upload: await upload(Buffer.from('a package')) })).toMatchObject({
    code: 527,
    message: expect.stringContaining('no key'),
  })
  expect(installed).toEqual([])
  expect(await call('POST', 'device/upgradeKey', { password: 'wrong1', key: 'a key' })).toMatchObject({ code: 525 })
  expect(await call('POST', 'device/upgradeKey', { password, key: 'nonsense' })).toMatchObject({
    code: 504,
    message: expect.stringContaining('public key'),
  })
  expect(trusted).toEqual([])

  expect(await call('POST', 'device/upgradeKey', { password, key: 'a key' })).toMatchObject({ code: 200 })
  expect((await call('GET', 'device')).data).toMatchObject({ upgradeKeys: ['a key'] })
  // The key can be replaced only on the machine itself.
  expect(await call('POST', 'device/upgradeKey', { password, key: 'a key of others' })).toMatchObject({
    code: 527,
    message: expect.stringContaining('setup.ts'),
  })
  expect(trusted).toEqual(['a key'])
  expect(await call('POST', 'device/upgrade', { upload: await upload(Buffer.from('a package')) })).toMatchObject({ code: 201 })
})

const outside = Object.values(networkInterfaces())
  .flat()
  .find((address) => address?.family === 'IPv4' && !address.internal)?.address

test.skipIf(!outside)('whose packages are taken is not said from another machine, also where the console is open to it', async () => {
  const trusted: string[] = []
  const upgradeKeys = { fingerprints: () => trusted, trust: (pem: string) => void trusted.push(pem) }
  const { terminal, sentences } = await terminalForTest({ host: '0.0.0.0', allowConsole: true, upgradeKeys })
  const elsewhere = consoleOf({ url: `http://${outside}:${terminal.port}/` }, sentences)
  expect(await elsewhere.logIn()).toMatchObject({ code: 200 })
  const asked = { password: passwordSaid(sentences), key: 'a key' }
  expect(await elsewhere.call('POST', 'device/upgradeKey', asked)).toMatchObject({
    status: 403,
    message: expect.stringContaining('at the terminal itself'),
  })
  expect(trusted).toEqual([])
})

test('readers are tried: none is 301 and 302, one that is there tells what it reads and opens nothing', async () => {
  const bare = await opened()
  expect((await bare.call('GET', 'detection')).data).toMatchObject({
    engine: { name: 'Blind', state: 'ready' },
    temperature: false,
    wiegand: false,
  })
  expect(await bare.call('POST', 'detection/temperature')).toMatchObject({ code: 301, message: expect.stringContaining('no such reader') })
  expect(await bare.call('POST', 'detection/wiegand')).toMatchObject({ code: 302, message: expect.stringContaining('no such reader') })

  let hold: (number: string) => void = () => {}
  const readers = [
    {
      start: (onEvent: (event: { kind: 'card'; number: string }) => void) => (hold = (number) => onEvent({ kind: 'card', number })),
      stop: () => {},
    },
  ]
  let degrees: number | null = 36.6
  const measure = async () => degrees ?? Promise.reject(new Error('nobody there'))
  const { call, server } = await opened({ readers, temperature: { measure } })
  expect((await call('GET', 'detection')).data).toMatchObject({ temperature: true, wiegand: true })
  expect(await call('POST', 'detection/temperature')).toMatchObject({ code: 200, data: { celsius: 36.6 } })
  degrees = null
  expect(await call('POST', 'detection/temperature')).toMatchObject({ code: 301 })
  const read = call('POST', 'detection/wiegand')
  const repeating = setInterval(() => hold('4711'), 5)
  expect(await read).toMatchObject({ code: 200, data: { card: '4711' } })
  clearInterval(repeating)
  expect(server.arrivals.length).toBeLessThanOrEqual(1)
})
