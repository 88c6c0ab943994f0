import { describe, expect, onTestFinished, test } from 'vitest'
import { createDecider } from './decision.ts'
import type { PersonObject } from '@gatehouse/contract/device/protocol'
import { createServerClient } from '../device/server.ts'
import type { TakenPerson } from '../device/store.ts'
import { openStore } from '../store/store.ts'
import { embeddingFrom, MODEL, scratchFolder } from '../device/testing-folder.ts'
import { DEVICE, idOf, manifestWith, OPEN_RULE, OPEN_STRATEGY, personWith } from '../device/testing-objects.ts'
import { startTestServer } from '../device/testing-server.ts'

const NOON_FRIDAY = Date.parse('2026-11-20T12:00:00+08:00')
const OFFICE = { ...OPEN_RULE, id: 'office', periods: [{ weekday: 5, start: '09:00', end: '12:30' }] }

const [ANN, BOB, CID] = [idOf('ann'), idOf('bob'), idOf('cid')] as const

function held(id: string, seed: number, change: Partial<PersonObject> = {}): TakenPerson {
  const { faces, ...person } = personWith(id, embeddingFrom(seed), { name: `Name of ${id.slice(0, 3)}`, ...change })
  return { ...person, faces: faces.map(({ faceId, template }) => ({ faceId, template: template! })) }
}

/** A terminal's deciding part that holds Ann (may pass on Friday mornings), Bob (disabled) and Cid (no strategy). */
async function deciding({ online = true, identifyWithin = 5_000, secondVerification = null as { timeoutMs: number } | null } = {}) {
  const server = await startTestServer()
  const store = openStore({ folder: scratchFolder(), code: DEVICE.code, model: MODEL })
  onTestFinished(async () => {
    store.close()
    await server.stop()
  })
  const { holdings } = store
  const manifest = manifestWith({ revision: 'r-7', strategies: [{ ...OPEN_STRATEGY, timeRuleIds: ['office'] }], timeRules: [OFFICE] })
  holdings.apply({ ...manifest, settings: { ...manifest.settings, secondVerification } })
  holdings.take({
    persons: [
      held(ANN, 1),
      held(BOB, 2, { enabled: false }),
      held(CID, 3, { strategyIds: ['of another device'] }),
    ],
    exceptions: [],
    gone: [],
    position: null,
  })
  const decider = createDecider({ holdings, model: MODEL, client: createServerClient({ server: server.url, ...DEVICE }), online: () => online, identifyWithin })
  return { server, decide: (seed: number, moment = NOON_FRIDAY) => decider.decide(embeddingFrom(seed), holdings.settings()!, moment) }
}

test('a known person within the permitted hours is allowed, with the checks that led there', async () => {
  const { decide, server } = await deciding()
  const outcome = await decide(1)
  expect(outcome).toMatchObject({ verdict: 'allowed', failReason: null, personId: ANN, personName: 'Name of ann', score: 100, revision: 'r-7' })
  expect(outcome.checks.map(({ code, ok }) => [code, ok])).toContainEqual(['timeRule', true])
  expect(server.identifyCalls).toBe(0)
})

test('outside the permitted hours: 6, a disabled person: 902, one without a strategy: 19, each by name', async () => {
  const { decide } = await deciding()
  expect(await decide(1, NOON_FRIDAY + 3_600_000)).toMatchObject({ verdict: 'rejected', failReason: 6, personId: ANN })
  expect(await decide(2)).toMatchObject({ verdict: 'rejected', failReason: 902, personId: BOB })
  expect(await decide(3)).toMatchObject({ verdict: 'rejected', failReason: 19, personId: CID })
})

describe('a face nobody here knows', () => {
  test('is asked for at the server, which may know the person without a strategy', async () => {
    const { decide, server } = await deciding()
    server.identify = { personId: 'dan', personName: 'Dan', score: 91, failReason: 19 }
    expect(await decide(9)).toMatchObject({ verdict: 'rejected', failReason: 19, personId: 'dan', personName: 'Dan', score: 91 })
  })

  test('is a stranger when the server does not know it either', async () => {
    const { decide, server } = await deciding()
    expect(await decide(9)).toMatchObject({ verdict: 'rejected', failReason: 904, personId: null, personName: '' })
    expect(server.identifyCalls).toBe(1)
  })

  test('is a stranger offline, and when the server is silent', async () => {
    const offline = await deciding({ online: false })
    expect(await offline.decide(9)).toMatchObject({ failReason: 904, personId: null })
    expect(offline.server.identifyCalls).toBe(0)
    const gone = await deciding({ identifyWithin: 1 })
    gone.server.secret = 'changed'
    expect(await gone.decide(9)).toMatchObject({ failReason: 904, personId: null })
  })
})

describe('second verification: the server has the last word', () => {
  const asking = { secondVerification: { timeoutMs: 2_000 } }

  test('it is asked once the terminal would let somebody in, with person, moment, method and score', async () => {
    const { decide, server } = await deciding(asking)
    expect(await decide(1)).toMatchObject({ verdict: 'allowed', failReason: null, personId: ANN })
    expect(server.verifyCalls).toEqual([{ personId: ANN, moment: NOON_FRIDAY, method: 1, score: 100 }])
    expect(await decide(2)).toMatchObject({ verdict: 'rejected', failReason: 902 })
    expect(server.verifyCalls).toHaveLength(1)
  })

  test('its refusal counts, with its reason or 14 where it gave none, and the person stays named', async () => {
    const { decide, server } = await deciding(asking)
    server.verify = { allowed: false, failReason: 903 }
    expect(await decide(1)).toMatchObject({ verdict: 'rejected', failReason: 903, personId: ANN, personName: 'Name of ann' })
    server.verify = { allowed: false, failReason: null }
    expect(await decide(1)).toMatchObject({ verdict: 'rejected', failReason: 14, personId: ANN })
  })

  test('offline it cannot be asked: 9, without a call', async () => {
    const { decide, server } = await deciding({ ...asking, online: false })
    expect(await decide(1)).toMatchObject({ verdict: 'rejected', failReason: 9, personId: ANN })
    expect(server.verifyCalls).toEqual([])
  })

  test('no answer within the time: 10; a fault at the server: 15', async () => {
    const silent = await deciding({ secondVerification: { timeoutMs: 100 } })
    silent.server.verifyAfter = 5_000
    expect(await silent.decide(1)).toMatchObject({ verdict: 'rejected', failReason: 10, personId: ANN })
    const faulty = await deciding(asking)
    faulty.server.verifyAfter = null
    expect(await faulty.decide(1)).toMatchObject({ verdict: 'rejected', failReason: 15, personId: ANN })
  })
})
