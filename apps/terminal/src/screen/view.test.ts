import { BUILT_IN_SETTINGS } from '@gatehouse/contract/configuration/settings'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { TEXTS } from '../http/texts.ts'
import { stateFor, verdictFor, type Audience } from '../http/disclosure.ts'
import type { TerminalState, Verdict } from '../terminal.ts'
import type { Shown } from './shown.ts'
import { cameraNoticeOf, idleWord, messageOf, noticeOf, troubleOf } from './view.ts'

const rejected = (failReason: number, checks: Verdict['checks']): Verdict => ({
  verdict: 'rejected',
  failReason,
  reason: null,
  personId: 'ann',
  personName: 'Ann',
  score: 81,
  recordId: 'record',
  checks,
  occurredAt: 0,
  repeated: false,
  timings: { engine: 0, total: 0 },
})

const EVERYTHING: Shown = {
  fields: ['photo', 'name', 'workNumber', 'temperature', 'time'],
  unit: 'C',
  language: 'en',
  zone: 'Asia/Shanghai',
}
/** The verdict as the page gets it. */
const disclosed = (verdict: Verdict) => verdictFor(verdict, 'public', EVERYTHING.fields)
const allowed = (change: Partial<Verdict> & { workNumber?: string } = {}) => ({
  ...rejected(0, [{ code: 'temperature' as const, ok: true, value: 36.6 }]),
  verdict: 'allowed' as const,
  failReason: null,
  occurredAt: Date.UTC(2026, 10, 20, 4, 5, 6),
  ...change,
})

describe('the large panel', () => {
  const messages = (verdict: Verdict) => Object.values(TEXTS).map((texts) => messageOf(texts, disclosed(verdict), 1, EVERYTHING))

  test('greets nobody by name who could be two persons', () => {
    for (const message of messages(rejected(2, [{ code: 'runnerUp', ok: false, score: 80, margin: 5 }]))) {
      expect(message).toMatchObject({ tone: 'rejected', name: undefined })
      expect(message.reason).toBeTruthy()
    }
    expect(
      messageOf(
        TEXTS.en,
        disclosed(
          rejected(2, [
            { code: 'runnerUp', ok: true, score: 60, margin: 5 },
            { code: 'method', ok: false, method: 1 },
          ]),
        ),
        1,
        EVERYTHING,
      ).name,
    ).toBe('Ann')
  })

  test('greets a contact beside the person in whose place he came', () => {
    expect(messageOf(TEXTS.en, disclosed(allowed({ contactId: 'mother', contactName: 'Wang Fang' })), 1, EVERYTHING).name).toBe(
      'Ann, by contact Wang Fang',
    )
    for (const { name } of messages(allowed({ contactId: 'mother', contactName: 'Wang Fang' }))) expect(name).toMatch(/Ann.*Wang Fang/)
    expect(messageOf(TEXTS.en, disclosed(allowed({ contactId: null, contactName: '' })), 1, EVERYTHING).name).toBe('Hello, Ann')
  })

  test('says that the engine cannot tell a living face, rather than that this is none', () => {
    const picture = messages(rejected(17, [{ code: 'liveness', ok: false, score: 0.2, threshold: 0.6 }]))
    const untold = messages(rejected(17, [{ code: 'liveness', ok: false, score: null, threshold: 0.6 }]))
    expect(picture.map(({ reason }) => reason)).toEqual(Object.values(TEXTS).map(({ failReason }) => failReason[17]))
    expect(untold.map(({ reason }) => reason)).toEqual(Object.values(TEXTS).map(({ own }) => own['livenessUntold']))
    expect(untold[2]?.reason).toBe('This terminal cannot tell a live face from a picture')
  })
})

describe('of somebody who passes', () => {
  const shown = (change: Partial<Shown>) => messageOf(TEXTS.en, disclosed(allowed({ workNumber: 'W-7' })), 1, { ...EVERYTHING, ...change })

  test('only what the settings name is shown, in the unit and the zone they name [BEH-161]', () => {
    expect(shown({})).toMatchObject({ name: 'Hello, Ann', details: 'W-7 · 36.6 °C · 12:05:06' })
    expect(shown({ unit: 'F', zone: 'UTC' }).details).toBe('W-7 · 97.9 °F · 04:05:06')
    expect(shown({ fields: ['temperature'] })).toMatchObject({ name: 'Hello', details: '36.6 °C' })
    expect(shown({ fields: [] })).toMatchObject({ name: 'Hello', details: '' })
  })

  test('the greeting follows the hour of the door’s place and the direction', () => {
    const greeted = (language: keyof typeof TEXTS, utcHour: number, direction: number, fields = EVERYTHING.fields) => {
      const { word, name } = messageOf(TEXTS[language], disclosed(allowed({ occurredAt: Date.UTC(2026, 10, 20, utcHour) })), direction, {
        ...EVERYTHING,
        fields,
      })
      return [word, name]
    }
    expect(greeted('zh-CN', 0, 1)).toEqual(['请通行', '早上好，Ann'])
    expect(greeted('zh-CN', 11, 1)).toEqual(['请通行', '晚上好，Ann'])
    expect(greeted('zh-CN', 11, 1, ['time'])).toEqual(['请通行', '晚上好'])
    expect(greeted('zh-CN', 11, 2)).toEqual(['再见', 'Ann，路上小心'])
    expect(greeted('zh-CN', 11, 2, [])).toEqual(['再见', '路上小心'])
    expect(greeted('zh-TW', 6, 1)).toEqual(['請通行', '午安，Ann'])
    expect(greeted('en', 6, 1)).toEqual(['Please enter', 'Good afternoon, Ann'])
    expect(greeted('en', 6, 2)).toEqual(['Goodbye', 'Take care, Ann'])
  })

  test('the next step is named, and what is to be put on', () => {
    const pending: Verdict = { ...allowed(), verdict: 'pending', awaits: { factors: ['card', 'qrCode'], until: 0 } }
    expect(messageOf(TEXTS.en, disclosed(pending), 1, EVERYTHING)).toMatchObject({
      tone: 'looking',
      word: 'One more step',
      reason: 'Present your card / Show your QR code',
    })
    expect(messageOf(TEXTS['zh-CN'], disclosed(allowed({ prompts: ['mask'] })), 1, EVERYTHING).reason).toBe('请佩戴口罩。')
  })
})

test('the camera of the terminal says in words when it shows nothing', () => {
  for (const { own } of Object.values(TEXTS)) {
    expect([null, { state: 'live' as const }].map((camera) => cameraNoticeOf(own, camera))).toEqual([undefined, undefined])
    const [connecting, away] = (['connecting', 'away'] as const).map((state) => cameraNoticeOf(own, { state }))
    expect([connecting, away]).toEqual([own['cameraConnecting'], own['cameraAway']])
  }
})

test('at rest the screen invites to what is possible here', () => {
  onTestFinished(() => void vi.unstubAllGlobals())
  const invites = (language: keyof typeof TEXTS, ...rest: [looks: boolean, takesPictures: boolean, methods: number[]]) => {
    vi.stubGlobal('document', { documentElement: { lang: language } })
    return idleWord(TEXTS[language].own, ...rest)
  }
  expect(invites('zh-CN', true, true, [])).toBe('请看摄像头')
  expect(invites('zh-CN', false, true, [])).toBe('请刷卡、输入密码、出示二维码或选择人脸图片')
  // Nobody here can start a camera or choose a picture.
  expect(invites('zh-CN', false, false, [])).toBe('请刷卡、输入密码或出示二维码')
  expect(invites('zh-TW', false, false, [4, 15])).toBe('請刷卡或輸入密碼')
  expect(invites('en', false, true, [1, 6])).toBe('Please show a QR code or choose a picture')
  expect(invites('en', true, false, [4])).toBe('Please present a card')
  expect(invites('en', false, false, [12])).toBe('Welcome')
})

describe('the notice', () => {
  const device = { deviceId: 'd', name: 'North gate', direction: 1, zone: 'UTC', threshold: 73, liveness: null }
  const state = (change: Partial<TerminalState> = {}): TerminalState => ({
    version: '1',
    code: 'GATE-1',
    device,
    link: { kind: 'online', since: 0, detail: '' },
    security: 'vouched',
    clockOffset: 0,
    door: 'closed',
    held: { revision: 'r', persons: 340, faces: 340, failed: 0, renewing: null },
    queue: { records: 0, pictures: 0, picturesLost: 0 },
    engine: { kind: 'builtin', modelId: 'builtin-512-1', name: 'Built-in engine', tellsLiving: false, state: 'ready' },
    camera: null,
    storageWorks: true,
    settings: { values: BUILT_IN_SETTINGS, sources: {} as TerminalState['settings']['sources'] },
    zone: 'UTC',
    server: { address: 'http://gate.example:8080', wished: null, trouble: null },
    network: { kind: 'notWished' },
    timeServer: null,
    restartAt: null,
    doorway: { trouble: null, standing: [], events: [] },
    files: { screenSaver: null, voice: null },
    upgrade: null,
    time: 0,
    ...change,
  })
  const saidTo = (audience: Audience, change: Partial<TerminalState>) => {
    const trouble = troubleOf(stateFor(state(change), audience, audience === 'installer'), true)
    return trouble && noticeOf(TEXTS.en.own, trouble, audience === 'installer')
  }
  const said = (change: Partial<TerminalState>) => saidTo('installer', change)

  test('is empty where all is well, also on trial', () => {
    expect(said({})).toBeUndefined()
    expect(said({ device: { ...device, liveness: { refuses: false, threshold: null } } })).toBeUndefined()
  })

  test('says what is the matter with door, time server and server address', () => {
    expect(said({ doorway: { trouble: null, standing: ['fire'], events: [] } })).toMatch(/^Fire alarm/)
    expect(said({ doorway: { trouble: 'jammed', standing: [], events: [] } })).toMatch(/^The lock does not obey/)
    const timeServer = { server: 'ntp.example', offset: 1_900, measuredAt: 0, failure: null }
    expect(said({ timeServer })).toBeUndefined()
    expect(said({ timeServer: { ...timeServer, offset: -2_400 } })).toBe('This terminal’s clock is 2.4 s off the time server ntp.example.')
    for (const failure of ['unknownHost', 'noAnswer', 'refused', 'unusable'] as const)
      expect(said({ timeServer: { ...timeServer, failure } })).toContain('ntp.example')
    expect(said({ server: { address: 'http://old', wished: 'http://new', trouble: 'trying' } })).toBeUndefined()
    for (const trouble of ['unreachable', 'stranger', 'notOnline'] as const)
      expect(said({ server: { address: 'http://old', wished: 'http://new', trouble } })).toContain('http://new')
  })

  test('says that nobody gets in where a living face is demanded of an engine that cannot tell, offline too', () => {
    const demanding = { ...device, liveness: { refuses: true, threshold: 0.6 } }
    for (const kind of ['online', 'away'] as const)
      expect(said({ device: demanding, link: { kind, since: 0, detail: '' } })).toMatch(/^A live face is required here/)
    expect(said({ device: demanding, engine: { ...state().engine, tellsLiving: true } })).toBeUndefined()
  })

  test('says how many faces are ready for the engine, offline too', () => {
    vi.stubGlobal('document', { documentElement: { lang: 'en' } })
    onTestFinished(() => void vi.unstubAllGlobals())
    const renewing = { ready: 12, total: 340 }
    for (const kind of ['online', 'away'] as const)
      expect(said({ held: { ...state().held, renewing }, link: { kind, since: 0, detail: '' } })).toContain('12 of 340 are ready')
  })

  test('is a short line for the public, the whole of it where an installer looks; an alarm is for all', () => {
    const offline = { link: { kind: 'away' as const, since: 0, detail: '' } }
    expect(saidTo('public', offline)).toBe('Offline. The door works as usual.')
    expect(said(offline)).toContain('records are kept and sent later')
    expect(saidTo('public', { storageWorks: false })).toBe('This terminal needs service.')
    expect(saidTo('public', { clockOffset: 300_000 })).toBe('The time of this terminal may be wrong.')
    expect(said({ clockOffset: 300_000 })).toContain('5 min')
    expect(saidTo('public', { doorway: { trouble: null, standing: ['fire'], events: [] } })).toMatch(/^Fire alarm/)
    for (const { own } of Object.values(TEXTS))
      for (const [key, words] of Object.entries(own)) if (key.startsWith('brief.')) expect(words.length).toBeLessThan(45)
  })
})
