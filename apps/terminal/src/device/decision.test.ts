import { describe, expect, onTestFinished, test } from 'vitest'
import { createDecider } from './decision.ts'
import { createServerClient } from './server.ts'
import { openStore } from './store.ts'
import { embeddingFrom, MODEL, scratchFolder } from './testing-folder.ts'
import { DEVICE, manifestOf, OPEN_RULE, OPEN_STRATEGY, personWith, startTestServer } from './testing-server.ts'

const NOON_FRIDAY = Date.parse('2026-11-20T12:00:00+08:00')
const OFFICE = { ...OPEN_RULE, id: 'office', periods: [{ weekday: 5, start: '09:00', end: '12:30' }] }

/** A terminal's deciding part that holds Ann (may pass on Friday mornings), Bob (disabled) and Cid (no strategy). */
async function deciding({ online = true, identifyWithin = 5_000 } = {}) {
  const server = await startTestServer()
  const store = openStore({ folder: scratchFolder(), code: DEVICE.code, model: MODEL })
  onTestFinished(async () => {
    store.close()
    await server.stop()
  })
  const { holdings } = store
  const manifest = manifestOf([{ id: 'ann', version: 1 }, { id: 'bob', version: 1 }], {
    revision: 'r-7',
    strategies: [{ ...OPEN_STRATEGY, timeRuleIds: ['office'] }],
    timeRules: [OFFICE],
  })
  manifest.persons.push(['cid', 1, []])
  holdings.apply(manifest)
  holdings.put([personWith('ann', embeddingFrom(1)), personWith('bob', embeddingFrom(2), { enabled: false }), personWith('cid', embeddingFrom(3))])
  const decider = createDecider({ holdings, model: MODEL, client: createServerClient({ server: server.url, ...DEVICE }), online: () => online, identifyWithin })
  return { server, decide: (seed: number, moment = NOON_FRIDAY) => decider.decide(embeddingFrom(seed), holdings.settings()!, moment) }
}

test('a known person within the permitted hours is allowed, with the checks that led there', async () => {
  const { decide, server } = await deciding()
  const outcome = await decide(1)
  expect(outcome).toMatchObject({ verdict: 'allowed', failReason: null, personId: 'ann', personName: 'Name of ann', score: 100, revision: 'r-7' })
  expect(outcome.checks.map(({ code, ok }) => [code, ok])).toContainEqual(['timeRule', true])
  expect(server.identifyCalls).toBe(0)
})

test('outside the permitted hours: 6, a disabled person: 902, one without a strategy: 19, each by name', async () => {
  const { decide } = await deciding()
  expect(await decide(1, NOON_FRIDAY + 3_600_000)).toMatchObject({ verdict: 'rejected', failReason: 6, personId: 'ann' })
  expect(await decide(2)).toMatchObject({ verdict: 'rejected', failReason: 902, personId: 'bob' })
  expect(await decide(3)).toMatchObject({ verdict: 'rejected', failReason: 19, personId: 'cid' })
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
