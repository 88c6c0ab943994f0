import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TIME_ZONES } from '@gatehouse/contract/limits'
import sharp from 'sharp'
import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../device/testing/folder.ts'
import { terminalForTest } from '../settings/testing/terminal.ts'
import { startTimeServer } from '../settings/testing/time-server.ts'
import { consoleOf } from './testing/console.ts'
import { machineClock } from './time.ts'

async function opened(change: Parameters<typeof terminalForTest>[0] = {}) {
  const started = await terminalForTest(change)
  const client = consoleOf(started.terminal, started.sentences)
  await client.logIn()
  return { ...started, ...client }
}

test('a voice prompt takes at most 32 bytes, of Chinese too: 522 [VAL-126]', async () => {
  const { call, terminal } = await opened()
  const set = (voicePromptText: string) => call('PUT', 'settings', { voicePromptText })
  expect(await set('x'.repeat(33))).toMatchObject({
    code: 522,
    message: 'The text is longer than 32 bytes.',
    fields: { voicePromptText: expect.any(String) },
  })
  expect(await set('欢迎光临请进请进请进')).toMatchObject({ code: 200 })
  expect(await set('欢迎光临请进请进请进啊')).toMatchObject({ code: 522 })
  expect(await set('x'.repeat(32))).toMatchObject({ code: 200 })
  expect(terminal.state().settings.values.voicePromptText).toBe('x'.repeat(32))
  expect(await call('PUT', 'settings', { promptText: 'x'.repeat(65) })).toMatchObject({
    code: 510,
    fields: { promptText: 'Use at most 64 characters.' },
  })
  expect(await call('PUT', 'settings', { promptText: 'x'.repeat(64) })).toMatchObject({ code: 200 })
})

test('what is set here holds at once and after a restart; what does not fit is told at its field', async () => {
  const { call, terminal, stop, folder, server } = await opened()
  expect(await call('PUT', 'settings', { threshold: 88.5, successInterval: 2.5, recognitionDistance: 1.2, volume: 0 })).toMatchObject({
    code: 200,
    data: { sources: { threshold: 'local', failureInterval: 'builtIn' } },
  })
  expect(terminal.state().settings.values).toMatchObject({ threshold: 88.5, successInterval: 2.5, recognitionDistance: 1.2, volume: 0 })
  for (const [name, value] of [
    ['threshold', 0],
    ['successInterval', 5.5],
    ['failureInterval', 0.3],
    ['recognitionDistance', 2.1],
    ['volume', 101],
    ['restartInterval', 0],
    ['timeZone', 61],
  ] as const) {
    expect(await call('PUT', 'settings', { [name]: value })).toMatchObject({ code: 510, fields: { [name]: expect.any(String) } })
  }
  expect(await call('PUT', 'settings', { threshold: null })).toMatchObject({ code: 200, data: { sources: { threshold: 'builtIn' } } })
  await stop()
  const again = await terminalForTest({ dataDir: folder }, server)
  expect(again.terminal.state().settings.values).toMatchObject({ threshold: null, successInterval: 2.5, volume: 0 })
})

test('what the server sets is shown with that reason, and cannot be changed here', async () => {
  const { call, configured, terminal } = await opened()
  await call('PUT', 'settings', { volume: 10 })
  await configured({ volume: 35 })
  expect((await call('GET', 'settings')).data).toMatchObject({ values: { volume: 35 }, sources: { volume: 'server' } })
  expect(await call('PUT', 'settings', { volume: 50 })).toMatchObject({
    code: 510,
    fields: { volume: 'Set by the server; change it there.' },
  })
  expect(terminal.state().settings.values.volume).toBe(35)
})

test('the time page offers the 36 zones from UTC-11 to UTC+14, and the one chosen is shown [BEH-208]', async () => {
  const { call, terminal } = await opened()
  const { zones } = (await call('GET', 'time')).data as unknown as { zones: number[] }
  expect(zones).toEqual([...TIME_ZONES])
  expect([zones.length, zones[0], zones.at(-1)]).toEqual([36, -11 * 60, 14 * 60])
  for (const timeZone of zones) expect((await call('PUT', 'settings', { timeZone })).code).toBe(200)
  expect(terminal.state().zone).toBe('+14:00')
  expect((await call('GET', 'time')).data).toMatchObject({ zone: '+14:00' })
})

test('a time server that does not answer is 516, a clock that is the machine’s own 513', async () => {
  const nobody = await opened({ ntpPort: 9 })
  expect(await nobody.call('POST', 'time/synchronise')).toMatchObject({ code: 516 })
  await nobody.call('PUT', 'settings', { ntpServer: '127.0.0.1' })
  expect(await nobody.call('POST', 'time/synchronise')).toMatchObject({ code: 516, message: 'The time server could not be reached.' })
  expect(await nobody.call('POST', 'time/set', { moment: Date.now() })).toMatchObject({
    code: 513,
    message: expect.stringContaining('The time could not be set. The clock belongs to the machine'),
  })
  expect((await nobody.call('GET', 'time')).data).toMatchObject({ canSet: false })
})

test('a machine that lets the console set its clock is set, by hand and by the time server', async () => {
  const set: number[] = []
  const server = await startTimeServer()
  server.ahead = 90_000
  onTestFinished(() => server.stop())
  const { call } = await opened({ ntpPort: server.port, setClock: async (moment) => void set.push(moment) })
  const moment = Date.parse('2026-11-22T08:00:00Z')
  expect(await call('POST', 'time/set', { moment })).toMatchObject({ code: 200 })
  expect(set).toEqual([moment])
  await call('PUT', 'settings', { ntpServer: '127.0.0.1' })
  const before = Date.now()
  expect(await call('POST', 'time/synchronise')).toMatchObject({ code: 200, data: { offset: expect.any(Number) } })
  expect(set[1]! - before).toBeGreaterThan(80_000)
})

test('the machine’s program is told the time in full, and its refusal is 513', async () => {
  const folder = scratchFolder()
  const program = join(folder, 'date')
  writeFileSync(program, `#!/bin/sh\necho "$@" > ${folder}/said\ntest ! -e ${folder}/refuse\n`)
  chmodSync(program, 0o755)
  const { call } = await opened({ setClock: machineClock(program) })
  expect((await call('POST', 'time/set', { moment: Date.parse('2026-11-22T08:00:00Z') })).code).toBe(200)
  expect(readFileSync(join(folder, 'said'), 'utf8')).toBe('--utc --set 2026-11-22T08:00:00.000Z\n')
  writeFileSync(join(folder, 'refuse'), '')
  expect(await call('POST', 'time/set', { moment: Date.now() })).toMatchObject({ code: 513, message: 'The time could not be set.' })
})

test('addresses are judged; a machine of its own network keeps them and says that they do not hold', async () => {
  const { call } = await opened()
  expect(await call('PUT', 'network', { networkMode: 2 })).toMatchObject({
    code: 510,
    fields: { ip: expect.any(String), subnetMask: expect.any(String), gateway: expect.any(String) },
  })
  expect(
    await call('PUT', 'network', { networkMode: 2, ip: '192.168.1', subnetMask: '255.255.255.0', gateway: '192.168.1.1' }),
  ).toMatchObject({ code: 510, fields: { ip: expect.any(String) } })
  expect(
    await call('PUT', 'network', { networkMode: 2, ip: '192.168.1.20', subnetMask: '255.255.255.0', gateway: '192.168.1.1' }),
  ).toMatchObject({ code: 200 })
  expect((await call('GET', 'network')).data).toMatchObject({
    manages: false,
    state: { kind: 'unmanaged' },
    values: { ip: '192.168.1.20' },
  })
})

test('a machine whose network is ours is brought to what is set', async () => {
  const applied: unknown[] = []
  const { call } = await opened({ network: { manages: true, apply: async (network) => void applied.push(network) } })
  expect((await call('PUT', 'network', { networkMode: 1 })).code).toBe(200)
  expect(applied).toEqual([{ networkMode: 1, ip: null, subnetMask: null, gateway: null, dns: null }])
})

test('no wireless network is 531, and a server that cannot be reached 406', async () => {
  const { call, server } = await opened()
  expect(await call('POST', 'network/wifi', { name: 'office', password: 'secret' })).toMatchObject({
    code: 531,
    message: expect.stringContaining('The Wi-Fi connection failed. This machine'),
  })
  expect(await call('POST', 'network/test')).toMatchObject({ code: 200, data: { milliseconds: expect.any(Number) } })
  server.secret = 'another'
  expect(await call('POST', 'network/test')).toMatchObject({ code: 406, message: 'The network failed, so nothing was synchronised.' })
  const joined: string[] = []
  const joining = async (name: string, password: string) =>
    password === 'right' ? void joined.push(name) : Promise.reject(new Error('refused'))
  const wireless = await opened({ wifi: { join: joining } })
  expect(await wireless.call('POST', 'network/wifi', { name: 'office', password: 'wrong' })).toMatchObject({
    code: 531,
    message: 'The Wi-Fi connection failed.',
  })
  expect(await wireless.call('POST', 'network/wifi', { name: 'office', password: 'right' })).toMatchObject({ code: 200 })
  expect(joined).toEqual(['office'])
})

test('the screen saver is a native PNG picture, or 536', async () => {
  const { call, file, terminal } = await opened()
  const picture = sharp({ create: { width: 64, height: 36, channels: 3, background: '#224488' } })
  expect(await call('PUT', 'screenSaver/picture', await picture.clone().jpeg().toBuffer())).toMatchObject({
    code: 536,
    message: 'The picture must be a real PNG file, not a renamed one.',
  })
  const png = await picture.clone().png().toBuffer()
  expect(await call('PUT', 'screenSaver/picture', png.subarray(0, 60))).toMatchObject({ code: 403 })
  expect(await call('PUT', 'screenSaver/picture', png)).toMatchObject({ code: 200 })
  expect(Buffer.from((await file('GET', 'screenSaver/picture')).bytes).equals(png)).toBe(true)
  const { screenSaver } = terminal.state().files
  expect((await fetch(new URL(screenSaver ?? '', terminal.url))).headers.get('content-type')).toBe('image/png')
  expect(await call('POST', 'screenSaver/remove')).toMatchObject({ code: 200 })
  expect(terminal.state().files.screenSaver).toBeNull()
})
