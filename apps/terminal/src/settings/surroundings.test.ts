import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { BUILT_IN_SETTINGS } from '@gatehouse/contract/configuration/settings'
import { describe, expect, onTestFinished, test } from 'vitest'
import { until } from '../device/testing/folder.ts'
import { startTestServer } from '../device/testing/server.ts'
import type { NetworkValues } from './network.ts'
import { addressWished } from './server-address.ts'
import { startTimeServer } from './testing/time-server.ts'
import { configure, terminalForTest } from './testing/terminal.ts'
import { zoneShown } from './zone.ts'

const DAY = 86_400_000
const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const MP3 = Buffer.from('fffb900000000000', 'hex')

async function fetched(address: string, init?: RequestInit) {
  const response = await fetch(address, init)
  return { status: response.status, type: response.headers.get('content-type'), bytes: Buffer.from(await response.arrayBuffer()) }
}

describe('the state', () => {
  test('says which settings hold and where each comes from, and nothing of the account', async () => {
    const { terminal, configured } = await terminalForTest()
    expect(terminal.state().settings.sources).toMatchObject({ volume: 'builtIn', promptText: 'builtIn' })
    await configured({ volume: 25, promptText: 'Masks, please' })
    const { settings } = (await (await fetch(`${terminal.url}state`)).json()) as ReturnType<typeof terminal.state>
    expect(settings.values).toMatchObject({ volume: 25, promptText: 'Masks, please' })
    expect(settings.sources).toMatchObject({ volume: 'server', promptText: 'server', ntpServer: 'builtIn' })
    expect(settings.values).not.toHaveProperty('consoleAccount')
    expect(BUILT_IN_SETTINGS).toHaveProperty('consoleAccount')
  })

  test('holds the settings over a restart without the server', async () => {
    const { configured, folder, stop, server } = await terminalForTest()
    await configured({ volume: 25 })
    await stop()
    const { terminal } = await terminalForTest({ dataDir: folder }, server)
    expect(terminal.state().settings).toMatchObject({ values: { volume: 25 }, sources: { volume: 'server' } })
  })

  test('shows the zone of the manifest, or the offset of the settings', async () => {
    const { terminal, configured } = await terminalForTest()
    expect(terminal.state().zone).toBe('Asia/Shanghai')
    await configured({ timeZone: -210 })
    expect(terminal.state().zone).toBe('-03:30')
    for (const offset of [-660, 345, 840])
      expect(() => new Intl.DateTimeFormat('en', { timeZone: zoneShown(offset, undefined)! })).not.toThrow()
  })

  test('tells the server what the terminal is, and each state of its door', async () => {
    const { server } = await terminalForTest({ doorOpenFor: 20 })
    await until('facts are told', () => server.statuses.at(-1)?.facts !== undefined)
    expect(server.statuses.at(-1)?.facts).toEqual({
      apkName: 'gatehouse-terminal',
      platform: process.platform,
      license: 1,
      capacity: 50_000,
      door: 'closed',
    })
    server.command({ id: 'c-1', name: 'controlDoor', operateType: 1 })
    await until('the open door is told', () => server.statuses.some(({ facts }) => facts?.door === 'opened'))
    await until('the closed door is told', () => server.statuses.at(-1)?.facts?.door === 'closed')
  })
})

describe('files of the settings', () => {
  test('are fetched, served, kept without the server, and removed when nothing names them', async () => {
    const { terminal, configured, server, folder, stop } = await terminalForTest()
    server.files.set('saver-1', PNG).set('voice-1', MP3)
    await configured({ screenSaver: 'saver-1', voiceFile: 'voice-1' })
    await until('both are here', () => terminal.state().files.screenSaver !== null && terminal.state().files.voice !== null)
    expect(terminal.state().files).toEqual({ screenSaver: '/files/saver-1', voice: '/files/voice-1' })
    expect(await fetched(`${terminal.url}files/saver-1`)).toEqual({ status: 200, type: 'image/png', bytes: PNG })
    expect(await fetched(`${terminal.url}files/voice-1`)).toEqual({ status: 200, type: 'audio/mpeg', bytes: MP3 })
    expect((await fetched(`${terminal.url}files/${encodeURIComponent('../key')}`)).status).toBe(404)
    await stop()

    const again = await terminalForTest({ dataDir: folder }, server)
    expect(again.terminal.state().files.screenSaver).toBe('/files/saver-1')
    expect(server.filesAsked.toSorted()).toEqual(['saver-1', 'voice-1'])
    await again.configured({ voiceFile: 'voice-1' })
    await until('the picture is gone', () => readdirSync(join(folder, 'files')).length === 1)
    expect(again.terminal.state().files).toEqual({ screenSaver: null, voice: '/files/voice-1' })
  })

  test('that are missing or no such file are named, and nothing is shown instead', async () => {
    const { terminal, configured, server, sentences } = await terminalForTest()
    server.files.set('text', Buffer.from('<svg onload="alert(1)">'))
    await configured({ screenSaver: 'text', voiceFile: 'gone' })
    await until('both were tried', () => sentences.filter((sentence) => sentence.startsWith('A file that the settings name')).length === 2)
    expect(terminal.state().files).toEqual({ screenSaver: null, voice: null })
    expect((await fetched(`${terminal.url}files/text`)).status).toBe(404)
  })
})

describe('the pins', () => {
  const press = (url: string, pin: number, level: 0 | 1) => fetched(`${url}pins/${pin}`, { method: 'PUT', body: String(level) })
  const levels = async (url: string) => JSON.parse((await fetched(`${url}pins`)).bytes.toString()) as { pin: number; active: boolean }[]
  const door = { open: async () => {}, close: async () => {} }

  test('exit button opens the door, lock and alarm outputs follow, and what each pin is the settings say', async () => {
    const { terminal, configured } = await terminalForTest({ pins: 'simulated', door, doorOpenFor: 60_000 })
    expect((await press(terminal.url, 0, 1)).status).toBe(200)
    expect(terminal.state().door).toBe('closed')
    await press(terminal.url, 0, 0)
    await configured({ gpioTypes: ['exitButton', 'doorLock', 'tamper', 'alarmOutput'] })
    await press(terminal.url, 0, 1)
    await until('the door is open', () => terminal.state().door === 'opened')
    expect(await levels(terminal.url)).toContainEqual({ pin: 1, active: true })
    expect(terminal.state().doorway.events).toMatchObject([{ kind: 'exitButton' }])
    await press(terminal.url, 2, 1)
    expect(terminal.state().doorway.standing).toEqual(['tamper'])
    expect(await levels(terminal.url)).toContainEqual({ pin: 3, active: true })
    await press(terminal.url, 2, 0)
    expect(await levels(terminal.url)).toContainEqual({ pin: 3, active: false })
    expect(terminal.state().doorway.events[0]).toMatchObject({ kind: 'tamper', endedAt: expect.any(Number) })
  })

  test('a door that opens by itself is forced, one that stays open is held open', async () => {
    const { terminal, configured, server } = await terminalForTest({ pins: 'simulated', door, doorOpenFor: 20, doorOvertimeAfter: 20 })
    await configured({ gpioTypes: ['doorSensor'], alarmRecordingTypes: [4] })
    await press(terminal.url, 0, 1)
    expect(terminal.state().doorway.standing).toEqual(['forced'])
    await press(terminal.url, 0, 0)
    expect(terminal.state().doorway.standing).toEqual([])

    server.command({ id: 'c-1', name: 'controlDoor', operateType: 2 })
    await until('the door stands open', () => terminal.state().door === 'alwaysOpen')
    await press(terminal.url, 0, 1)
    expect(terminal.state().doorway.standing).toEqual([])
    server.command({ id: 'c-2', name: 'controlDoor', operateType: 3 })
    await until('it is held open', () => terminal.state().doorway.standing.includes('heldOpen'))
    expect(terminal.state().doorway.events.map(({ kind }) => kind)).toEqual(['heldOpen', 'forced'])
    await press(terminal.url, 0, 0)
    expect(terminal.state().doorway.standing).toEqual([])
  })

  test('a fire alarm holds the door open against the server, and lets it close afterwards; only kinds asked for are recorded', async () => {
    const { terminal, configured, server, folder, stop } = await terminalForTest({ pins: 'simulated', door })
    await configured({ gpioTypes: ['fireAlarm', 'tamper'], alarmRecordingTypes: [1] })
    await press(terminal.url, 1, 1)
    await press(terminal.url, 0, 1)
    await until('the door stands open', () => terminal.state().door === 'alwaysOpen')
    server.command({ id: 'c-1', name: 'controlDoor', operateType: 3 })
    await until('the answer is there', () => server.answers.length === 1)
    expect(server.answers[0]).toMatchObject({ isSuccess: false, errorType: 2 })
    expect(terminal.state()).toMatchObject({ door: 'alwaysOpen', doorway: { standing: ['tamper', 'fire'] } })
    await press(terminal.url, 0, 0)
    await until('the door is closed', () => terminal.state().door === 'closed')
    expect(terminal.state().doorway.events.map(({ kind }) => kind)).toEqual(['fire'])
    await stop()
    const again = await terminalForTest({ dataDir: folder }, server)
    expect(again.terminal.state().doorway.events).toMatchObject([{ kind: 'fire' }])
  })

  test('events of the door but the exit button are sent to the server, each with its end, over restarts too', async () => {
    const { terminal, configured, server, folder, stop } = await terminalForTest({ pins: 'simulated', door })
    await configured({ gpioTypes: ['doorSensor', 'exitButton', 'tamper'], alarmRecordingTypes: [2] })
    const sent = () => [...server.numbered.items.values()].flat()
    await press(terminal.url, 2, 1)
    await press(terminal.url, 0, 1)
    await press(terminal.url, 0, 0)
    await press(terminal.url, 1, 1)
    await until('the end is sent', () => sent().length === 3)
    expect(sent()).toMatchObject([
      { seq: 1, kind: 'tamper', endOf: null, hasPicture: false },
      { seq: 2, kind: 'forced', endOf: null },
      { seq: 3, kind: 'forced', endOf: 2 },
    ])
    await stop()
    // What lasted when it stopped is over, and begins again where it still lasts.
    const again = await terminalForTest({ dataDir: folder, pins: 'simulated', door }, server)
    await until('the end is sent', () => sent().length === 4)
    expect(sent()[3]).toMatchObject({ seq: 4, kind: 'tamper', endOf: 1 })
    await press(again.terminal.url, 2, 1)
    await until('it begins again', () => sent().length === 5)
    expect(sent()[4]).toMatchObject({ seq: 5, kind: 'tamper', endOf: null })
  })

  test('are set from this machine only, and there are none where nobody asked for them', async () => {
    const { terminal } = await terminalForTest({ pins: 'simulated', allowFrames: true })
    expect(
      (await fetched(`${terminal.url}pins/0`, { method: 'PUT', body: '1', headers: { origin: 'http://elsewhere.example' } })).status,
    ).toBe(403)
    expect((await press(terminal.url, 99, 1)).status).toBe(400)
    const plain = await terminalForTest()
    expect((await press(plain.terminal.url, 0, 1)).status).toBe(404)
  })
})

describe('restart', () => {
  test('comes after so many days, once, in a quiet moment', async () => {
    let moment = Date.UTC(2026, 0, 1)
    let restarts = 0
    const { terminal, configured, server } = await terminalForTest({
      clock: () => moment,
      onRestart: () => void restarts++,
      door: { open: async () => {}, close: async () => {} },
    })
    expect(terminal.state().restartAt).toBeNull()
    await configured({ restartInterval: 3 })
    expect(terminal.state().restartAt).toBe(Date.UTC(2026, 0, 4))
    server.command({ id: 'c-1', name: 'controlDoor', operateType: 2 })
    await until('the door stands open', () => terminal.state().door === 'alwaysOpen')
    moment += 3 * DAY + 60_000
    // An open door counts as activity: the quiet minute starts when it closes.
    await terminal.look(PNG)
    server.command({ id: 'c-2', name: 'controlDoor', operateType: 3 })
    await until('the door is closed', () => terminal.state().door === 'closed')
    expect(restarts).toBe(0)
    moment += 61_000
    await until('it restarts', () => restarts === 1)
    moment += DAY
    expect(restarts).toBe(1)
  })
})

describe('the time server', () => {
  test('is asked as soon as it is set; what it says and why it says nothing is in the state, and no clock is set', async () => {
    const time = await startTimeServer()
    onTestFinished(() => time.stop())
    time.ahead = 5_000
    const { terminal, configured, sentences } = await terminalForTest({ ntpPort: time.port })
    expect(terminal.state().timeServer).toBeNull()
    await configured({ ntpServer: '127.0.0.1' })
    await until('it has answered', () => terminal.state().timeServer?.offset != null)
    const { offset, failure, server } = terminal.state().timeServer!
    expect({ failure, server }).toEqual({ failure: null, server: '127.0.0.1' })
    expect(Math.abs(offset! - 5_000)).toBeLessThan(1_000)
    expect(sentences.join('\n')).toMatch(/clock is [\d.]+ s off the time server 127\.0\.0\.1/)
    expect(Math.abs(terminal.state().time - Date.now())).toBeLessThan(1_000)
    await configured({ ntpServer: 'no-such-host.invalid' })
    await until('it has failed', () => terminal.state().timeServer?.failure === 'unknownHost')
    expect(terminal.state().timeServer).toMatchObject({ server: 'no-such-host.invalid', offset: null })
    await configured({})
    await until('nobody is asked', () => terminal.state().timeServer === null)
  })
})

describe('the network', () => {
  const values = { networkMode: 2, ip: '192.168.1.20', subnetMask: '255.255.255.0', gateway: '192.168.1.1', dns: null } as const

  test('is the machine’s own affair unless told otherwise', async () => {
    const { terminal, configured, sentences } = await terminalForTest()
    expect(terminal.state().network).toEqual({ kind: 'notWished' })
    await configured(values)
    await until('it is said', () => terminal.state().network.kind === 'unmanaged')
    expect(sentences).toContain('Network settings are not applied: this machine manages its network itself.')
  })

  test('is brought to what the settings ask where somebody can, one change at a time, and says when it failed', async () => {
    const asked: NetworkValues[] = []
    let works = true
    const network = {
      manages: true,
      async apply(next: NetworkValues) {
        asked.push(next)
        if (!works) throw new Error('no such gateway')
      },
    }
    const { terminal, configured } = await terminalForTest({ network })
    await configured(values)
    await until('it is applied', () => terminal.state().network.kind === 'applied')
    await configured({ ...values, promptText: 'Nothing of the network changed' })
    works = false
    await configured({ networkMode: 1 })
    await until('it has failed', () => terminal.state().network.kind === 'failed')
    expect(terminal.state().network).toEqual({ kind: 'failed', detail: 'no such gateway' })
    expect(asked).toEqual([values, { networkMode: 1, ip: null, subnetMask: null, gateway: null, dns: null }])
  })
})

describe('another address of the server', () => {
  const serverPatience = { online: 1_500, again: 60_000 }

  test('leaves open what it does not name', () => {
    expect(addressWished('http://gate.example:8080/', { serverAddress: null, port: null })).toBe('http://gate.example:8080')
    expect(addressWished('https://gate.example', { serverAddress: '10.0.0.9', port: null })).toBe('https://10.0.0.9')
    expect(addressWished('http://gate.example:8080', { serverAddress: 'fd00::1', port: 9000 })).toBe('http://[fd00::1]:9000')
  })

  test('is gone to, and records made on the way arrive', async () => {
    const { terminal, configured, server } = await terminalForTest({ serverPatience })
    const other = await startTestServer()
    onTestFinished(() => other.stop())
    const { port } = new URL(other.url)
    // As with one server behind two addresses: both send the same manifest.
    other.audience.manifest = server.audience.manifest
    configure(other, { port: Number(port) })
    await configured({ port: Number(port) })
    await until('it is online there', () => other.statuses.at(-1)?.online === true && terminal.state().server.address === other.url)
    await until('nothing is the matter', () => terminal.state().server.trouble === null && terminal.state().link.kind === 'online')
    expect(terminal.state().server).toEqual({ address: other.url, wished: null, trouble: null })
    expect(server.statuses.at(-1)?.online).toBe(false)
  })

  test('that does not answer changes nothing', async () => {
    const { terminal, configured, server } = await terminalForTest({ serverPatience })
    await configured({ port: 9 })
    await until('it was tried', () => terminal.state().server.trouble === 'unreachable')
    expect(terminal.state().server).toEqual({ address: server.url, wished: 'http://127.0.0.1:9', trouble: 'unreachable' })
    expect(terminal.state().link.kind).toBe('online')
    await configured({})
    await until('nothing is the matter', () => terminal.state().server.trouble === null)
  })

  test('where it does not come online is left again', async () => {
    const { terminal, configured, server } = await terminalForTest({ serverPatience })
    const other = await startTestServer()
    onTestFinished(() => other.stop())
    other.broker = { url: null, port: 9, username: 'nobody', password: 'nothing' }
    await configured({ port: Number(new URL(other.url).port) })
    await until('it is back', () => terminal.state().server.trouble === 'notOnline' && terminal.state().link.kind === 'online')
    expect(terminal.state().server).toEqual({ address: server.url, wished: other.url, trouble: 'notOnline' })
  })

  test('where somebody else answers is never gone to, and is sent nothing but a challenge', async () => {
    const { terminal, configured, server } = await terminalForTest({ serverPatience })
    const foreign = await startTestServer()
    onTestFinished(() => foreign.stop())
    foreign.secret = 'of somebody else'
    await configured({ port: Number(new URL(foreign.url).port) })
    await until('it was tried', () => terminal.state().server.trouble === 'stranger')
    expect(terminal.state().server).toEqual({ address: server.url, wished: foreign.url, trouble: 'stranger' })
    expect(terminal.state().link.kind).toBe('online')
    expect(foreign.asked).toEqual(['POST /deviceService/uface/v1/challenge'])
  })
})
