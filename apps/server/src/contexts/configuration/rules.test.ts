/** Rules for settings, each rule of the specification through the calls. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputOf } from '@gatehouse/contract'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import { accessMethod } from '@gatehouse/contract/enums'
import type { Answer } from '@gatehouse/dev-env/client'
import { startWorld, type MadeDevice, type World } from '@gatehouse/dev-env/world'
import { sound } from './testing/files.ts'

const { add, upload } = configurationCalls

let world: World
let device: MadeDevice
beforeAll(async () => {
  world = await startWorld()
  device = await world.device()
})
afterAll(() => world?.stop())

const ask = (settings: object, more: object = {}) =>
  world.ask(add, { body: { deviceId: device.id, settings, ...more } as InputOf<typeof add.body> })
const issuesOf = (answer: Answer) =>
  (answer.data as { fields?: { path: string; rule: string; params?: object }[] } | undefined)?.fields ?? []
/** Return the faults of settings, by field without its place; empty where they are accepted. */
async function faults(settings: object, more: object = {}): Promise<string[]> {
  const answer = await ask(settings, more)
  if (answer.status === 200 && answer.code === 0) return []
  return issuesOf(answer).map(({ path, rule }) => `${path.replace('settings.', '')} ${rule}`)
}
const faultOfVoice = async (file: Uint8Array) => issuesOf(await world.ask(upload, { body: { kind: 'voice' }, file }))

test('the account of a terminal’s console is letters and digits only [VAL-008]', async () => {
  expect(await faults({ consoleAccount: 'Guard7' })).toEqual([])
  for (const consoleAccount of ['guard 7', 'guard_7', '门卫', 'a@b', ''])
    expect(await faults({ consoleAccount }), consoleAccount).toHaveLength(1)
})

test('the account of a terminal’s console has at most 20 characters [VAL-009]', async () => {
  expect(await faults({ consoleAccount: 'a'.repeat(20) })).toEqual([])
  expect(await faults({ consoleAccount: 'a'.repeat(21) })).toEqual(['consoleAccount max.string'])
})

test('the password of a terminal’s console has 6 to 20 characters [VAL-017]', async () => {
  for (const length of [6, 20]) expect(await faults({}, { consolePassword: 'p'.repeat(length) })).toEqual([])
  expect(await faults({}, { consolePassword: 'p'.repeat(5) })).toEqual(['consolePassword min.string'])
  expect(await faults({}, { consolePassword: 'p'.repeat(21) })).toEqual(['consolePassword max.string'])
})

test('the password of a terminal’s console is letters and digits only [VAL-018]', async () => {
  for (const consolePassword of ['secret!', 'geheim-1', '密码密码密码'])
    expect(await faults({}, { consolePassword })).toEqual(['consolePassword lettersOrDigits'])
  expect(await faults({}, { consolePassword: 'Abc123' })).toEqual([])
})

test('the password of a terminal’s console has no spaces [VAL-019]', async () => {
  for (const consolePassword of ['abc 123', ' abc123', 'abc123 '])
    expect(await faults({}, { consolePassword })).toEqual(['consolePassword lettersOrDigits'])
})

test('a voice prompt is an mp3, whatever its name says [VAL-121]', async () => {
  expect((await world.ask(upload, { body: { kind: 'voice' }, file: sound() })).code).toBe(0)
  for (const file of [Buffer.from('RIFF....WAVEfmt '.repeat(500)), sound({ layer: 2 }), Buffer.alloc(5000)])
    expect(await faultOfVoice(file)).toEqual([{ path: 'file', rule: 'mp3' }])
})

test('a voice prompt is sampled at 44100 Hz [VAL-122]', async () => {
  expect(await faultOfVoice(sound({ sampleRate: 1 }))).toEqual([
    { path: 'file', rule: 'sampleRate', params: { limit: 44_100, found: 48_000 } },
  ])
  expect(await faultOfVoice(sound({ sampleRate: 2 }))).toMatchObject([{ rule: 'sampleRate', params: { found: 32_000 } }])
})

test('a voice prompt is mono [VAL-123]', async () => {
  for (const mode of [0, 1, 2]) expect(await faultOfVoice(sound({ mode }))).toEqual([{ path: 'file', rule: 'mono' }])
})

test('a voice prompt has 128 kbps throughout [VAL-124]', async () => {
  expect(await faultOfVoice(sound({ bitRate: 11 }))).toEqual([{ path: 'file', rule: 'bitRate', params: { limit: 128, found: 192 } }])
  expect(await faultOfVoice(Buffer.concat([sound({ frames: 5 }), sound({ frames: 5, bitRate: 5 })]))).toMatchObject([
    { rule: 'bitRate', params: { found: 64 } },
  ])
})

test('the text on the screen has at most 64 characters [VAL-125]', async () => {
  expect(await faults({ promptText: '请'.repeat(64) })).toEqual([])
  expect(await faults({ promptText: '请'.repeat(65) })).toEqual(['promptText max.string'])
})

test('the spoken text has at most 32 bytes, of which a Chinese character takes three [VAL-126]', async () => {
  for (const voicePromptText of ['a'.repeat(32), '欢'.repeat(10) + 'ab']) expect(await faults({ voicePromptText })).toEqual([])
  for (const voicePromptText of ['a'.repeat(33), '欢'.repeat(11)])
    expect(await faults({ voicePromptText })).toEqual(['voicePromptText bytes'])
})

test('faces are recognised from 0.4 to 2 m [VAL-127]', async () => {
  for (const recognitionDistance of [0.4, 2]) expect(await faults({ recognitionDistance })).toEqual([])
  expect(await faults({ recognitionDistance: 0.3 })).toEqual(['recognitionDistance min.number'])
  expect(await faults({ recognitionDistance: 2.1 })).toEqual(['recognitionDistance max.number'])
})

test('with a mask or an ID card to be seen, faces are recognised from 0.4 to 1.5 m [VAL-128]', async () => {
  for (const mode of [
    { maskRule: 'prompt' },
    { maskRule: 'refuse' },
    { verificationMode: [accessMethod.face, accessMethod.idCardAndFace] },
    { verificationMode: [accessMethod.idVerification] },
  ]) {
    expect(await faults({ ...mode, recognitionDistance: 1.5 })).toEqual([])
    expect(await faults({ ...mode, recognitionDistance: 1.6 })).toEqual(['recognitionDistance max.number'])
  }
  expect(await faults({ maskRule: 'off', verificationMode: [accessMethod.face], recognitionDistance: 2 })).toEqual([])
})

test('the recognition distance has one decimal [VAL-129]', async () => {
  for (const recognitionDistance of [0.7, 1, 1.1]) expect(await faults({ recognitionDistance })).toEqual([])
  expect(await faults({ recognitionDistance: 1.25 })).toEqual(['recognitionDistance step'])
})

test('after a success the pause is 0 to 5 s [VAL-130]', async () => {
  for (const successInterval of [0, 5]) expect(await faults({ successInterval })).toEqual([])
  expect(await faults({ successInterval: -0.5 })).toEqual(['successInterval min.number'])
  expect(await faults({ successInterval: 5.5 })).toEqual(['successInterval max.number'])
})

test('after a failure the pause is 0 to 3 s [VAL-131]', async () => {
  for (const failureInterval of [0, 3]) expect(await faults({ failureInterval })).toEqual([])
  expect(await faults({ failureInterval: 3.5 })).toEqual(['failureInterval max.number'])
})

test('pauses go in steps of half a second [VAL-132]', async () => {
  expect(await faults({ successInterval: 4.5, failureInterval: 1.5 })).toEqual([])
  expect(await faults({ successInterval: 1.2, failureInterval: 0.25 })).toEqual(['successInterval step', 'failureInterval step'])
})

test('a terminal restarts every 1 to 100 days [VAL-133]', async () => {
  for (const restartInterval of [1, 100, null]) expect(await faults({ restartInterval })).toEqual([])
  expect(await faults({ restartInterval: 0 })).toEqual(['restartInterval min.number'])
  expect(await faults({ restartInterval: 101 })).toEqual(['restartInterval max.number'])
  expect(await faults({ restartInterval: 1.5 })).toEqual(['restartInterval type'])
})

test('the highest temperature is above the lowest [VAL-134]', async () => {
  expect(await faults({ temperatureMinimum: 36, temperatureMaximum: 36.1 })).toEqual([])
  for (const temperatureMaximum of [36, 35.9])
    expect(await faults({ temperatureMinimum: 36, temperatureMaximum })).toEqual(['temperatureMaximum aboveMinimum'])
  // Compared with the default, too.
  expect(await faults({ temperatureMinimum: 38 })).toEqual(['temperatureMaximum aboveMinimum'])
})

test('the same type of pin cannot be chosen twice [VAL-138]', async () => {
  expect(await faults({ gpioTypes: ['doorLock', 'tamper'] })).toEqual([])
  expect(await faults({ gpioTypes: ['doorLock', 'tamper', 'doorLock'] })).toEqual(['gpioTypes duplicate'])
})

test('at least one type of alarm is recorded [VAL-139]', async () => {
  expect(await ask({ alarmRecordingTypes: [] })).toMatchObject({
    status: 200,
    code: 500016,
    data: { fields: [{ path: 'settings.alarmRecordingTypes' }] },
  })
  expect(await faults({ alarmRecordingTypes: [1] })).toEqual([])
})

test('thresholds are 1 to 100, the low one below the high one', async () => {
  expect(await faults({ threshold: 80, lowThreshold: 79.5 })).toEqual([])
  expect(await faults({ threshold: 80, lowThreshold: 80 })).toEqual(['lowThreshold belowThreshold'])
  expect(await faults({ threshold: 0.5 })).toEqual(['threshold min.number'])
  expect(await faults({ threshold: 101 })).toEqual(['threshold max.number'])
})

test('a fixed address needs IP address, mask and gateway; addresses are checked', async () => {
  expect(await faults({ networkMode: 2 })).toEqual(['ip required', 'subnetMask required', 'gateway required'])
  expect(await faults({ networkMode: 2, ip: '10.0.0.9', subnetMask: '255.0.0.0', gateway: '10.0.0.1' })).toEqual([])
  expect(await faults({ ip: '10.0.0.256' })).toEqual(['ip ip'])
  expect(await faults({ port: 65_536 })).toEqual(['port max.number'])
})

test('a server is named by a domain or an address that there can be [VAL-101]', async () => {
  for (const address of ['gate.example.org', 'gatehouse', '192.168.1.20', 'fe80::1', null])
    expect(await faults({ serverAddress: address, ntpServer: address }), String(address)).toEqual([])
  for (const address of ['not a host', 'gate..example.org', '-gate.org', 'gate_1.org', '10.0.0.256', 'https://gate.org', 'gate.org:80']) {
    for (const field of ['serverAddress', 'ntpServer'])
      expect(await ask({ [field]: address }), address).toMatchObject({
        status: 200,
        code: 100415,
        data: { fields: [{ path: `settings.${field}`, rule: 'code.100415' }] },
      })
  }
})

test('a time zone is one of 36', async () => {
  for (const timeZone of [-660, 345, 840, null]) expect(await faults({ timeZone })).toEqual([])
  expect(await faults({ timeZone: 15 })).toEqual(['timeZone timeZone'])
})
