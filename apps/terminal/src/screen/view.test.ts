import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { TEXTS } from '../http/texts.ts'
import type { TerminalState, Verdict } from '../terminal.ts'
import { messageOf, noticeOf } from './view.ts'

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

describe('the large panel', () => {
  const messages = (verdict: Verdict) => Object.values(TEXTS).map((texts) => messageOf(texts, verdict, 1))

  test('greets nobody by name who could be two persons', () => {
    for (const message of messages(rejected(2, [{ code: 'runnerUp', ok: false, score: 80, margin: 5 }]))) {
      expect(message).toMatchObject({ tone: 'rejected', name: undefined })
      expect(message.reason).toBeTruthy()
    }
    expect(messageOf(TEXTS.en, rejected(2, [{ code: 'runnerUp', ok: true, score: 60, margin: 5 }, { code: 'method', ok: false, method: 1 }]), 1).name).toBe('Ann')
  })

  test('says that the engine cannot tell a living face, rather than that this is none', () => {
    const picture = messages(rejected(17, [{ code: 'liveness', ok: false, score: 0.2, threshold: 0.6 }]))
    const untold = messages(rejected(17, [{ code: 'liveness', ok: false, score: null, threshold: 0.6 }]))
    expect(picture.map(({ reason }) => reason)).toEqual(Object.values(TEXTS).map(({ failReason }) => failReason[17]))
    expect(untold.map(({ reason }) => reason)).toEqual(Object.values(TEXTS).map(({ own }) => own['livenessUntold']))
    expect(untold[2]?.reason).toBe('This terminal cannot tell a living face from a picture')
  })
})

describe('the notice', () => {
  const device = { deviceId: 'd', name: 'North gate', direction: 1, zone: 'UTC', threshold: 73, liveness: null }
  const state = (change: Partial<TerminalState> = {}): TerminalState => ({
    version: '1',
    code: 'GATE-1',
    device,
    link: { kind: 'online', since: 0, detail: '' },
    clockOffset: 0,
    door: 'closed',
    held: { revision: 'r', persons: 340, faces: 340, failed: 0, renewing: null },
    queue: { records: 0, pictures: 0, picturesLost: 0 },
    engine: { kind: 'builtin', modelId: 'builtin-128-1', name: 'Built in', tellsLiving: false, state: 'ready' },
    storageWorks: true,
    time: 0,
    ...change,
  })
  const said = (change: Partial<TerminalState>) => noticeOf(TEXTS.en.own, state(change), true)

  test('is empty where all is well, also on trial', () => {
    expect(said({})).toBeUndefined()
    expect(said({ device: { ...device, liveness: { refuses: false, threshold: null } } })).toBeUndefined()
  })

  test('says that nobody gets in where a living face is demanded of an engine that cannot tell, offline too', () => {
    const demanding = { ...device, liveness: { refuses: true, threshold: 0.6 } }
    for (const kind of ['online', 'away'] as const) expect(said({ device: demanding, link: { kind, since: 0, detail: '' } })).toMatch(/^A living face is demanded here/)
    expect(said({ device: demanding, engine: { ...state().engine, tellsLiving: true } })).toBeUndefined()
  })

  test('says how many faces are ready for the engine, offline too', () => {
    vi.stubGlobal('document', { documentElement: { lang: 'en' } })
    onTestFinished(() => void vi.unstubAllGlobals())
    const renewing = { ready: 12, total: 340 }
    for (const kind of ['online', 'away'] as const) expect(said({ held: { ...state().held, renewing }, link: { kind, since: 0, detail: '' } })).toContain('12 of 340 are ready')
  })
})
