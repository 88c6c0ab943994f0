import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encodeChecks, type Check } from '@gatehouse/access-rules'
import { recordCalls } from '@gatehouse/contract/records/calls'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { accessMethod, failReason } from '@gatehouse/contract/enums'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { facePolicyCalls } from '@gatehouse/contract/faces/policy'
import { DEFAULT_PROMISES } from '@gatehouse/contract/faces/promise'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { startWorld, type Made, type MadeDevice, type Site, type World } from '@gatehouse/dev-env/world'
import { sql } from '../../platform/database/database.ts'
import { recordId } from '../../platform/database/ids.ts'
import { passage, sentBy } from './testing/records.ts'

const MINUTE = 60_000
const DAY = 86_400_000

// Slightly in the future, so that everything happens after the moment history begins.
let now = Date.now() + MINUTE
let world: World
beforeAll(async () => {
  world = await startWorld({ clock: { now: () => now } })
})
afterAll(() => world?.stop())

const area = () => world.server.contexts.records

interface Gate {
  park: Site
  door: MadeDevice
  person: Made & { groupId: string; workNumber: string }
  rule: Made
  strategy: Made
}

/** Create a park with one door that one person may pass on weekdays. */
async function gate({ zone = 'Asia/Shanghai' } = {}): Promise<Gate> {
  const park = await world.addPark({ zone })
  const [door, person, rule] = [await park.device(), await park.person(), await park.timeRule({ name: 'Weekdays', periods: WEEKDAYS })]
  const strategy = await park.strategy({ name: 'Staff', persons: [person], devices: [door], timeRules: [rule] })
  return { park, door, person, rule, strategy }
}
const WEEKDAYS = [1, 2, 3, 4, 5].map((weekday) => ({ weekday, start: '08:00', end: '18:00' }))

/** Return the manifest the door would have now. */
async function manifestOf({ park, door }: Pick<Gate, 'park' | 'door'>) {
  await world.settled()
  return world.server.contexts.synchronisation.service.manifest({
    deviceId: door.id,
    code: door.code,
    parkId: park.park.id,
    released: true,
  })
}
const revisionOf = async (at: Pick<Gate, 'park' | 'door'>): Promise<string> => (await manifestOf(at)).revision
/** Return the threshold that a terminal of an earlier version applies to a face. */
const manifestThreshold = async (at: Pick<Gate, 'park' | 'door'>): Promise<number> => (await manifestOf(at)).settings.threshold

const ruleCheck = ({ strategy, rule }: Pick<Gate, 'strategy' | 'rule'>, ok = true): Check => ({
  code: 'timeRule',
  ok,
  strategyId: strategy.id,
  ruleId: rule.id,
  reason: ok ? 'period' : 'noPeriod',
})
const personChecks: Check[] = [
  { code: 'enabled', ok: true },
  { code: 'validity', ok: true, from: null, to: null },
]

let sent = 0
/** Send one record and return its explanation. */
async function why({ park, door }: Pick<Gate, 'park' | 'door'>, fields: Partial<RecordObject>, { sentAt = now } = {}) {
  const epoch = `boot-${++sent}`
  await area().ingest(
    { deviceId: door.id, parkId: park.park.id },
    { ...sentBy([passage(1, { occurredAt: now, ...fields })], { epoch, sentAt }), oldestSeq: 1 },
  )
  const id = recordId(door.id, epoch, 1)
  return { id, ...(await park.call(recordCalls.why, { params: { id } })) }
}

test('tells the checks in order, the rule as the device held it, and that it was the newest', async () => {
  const at = await gate()
  const checks: Check[] = [{ code: 'face', ok: true, score: 91, threshold: 70, distance: 0.3 }, ...personChecks, ruleCheck(at)]
  const explanation = await why(at, { personId: at.person.id, checks: encodeChecks(checks), revision: await revisionOf(at) })
  expect(explanation.checks).toEqual([
    { code: 'face', ok: true, data: { score: 91, threshold: 70, distance: 0.3 } },
    { code: 'enabled', ok: true, data: {} },
    { code: 'validity', ok: true, data: { from: null, to: null } },
    { code: 'timeRule', ok: true, data: { strategyId: at.strategy.id, ruleId: at.rule.id, reason: 'period' } },
  ])
  expect(explanation.strategy).toEqual({ id: at.strategy.id, name: 'Staff' })
  expect(explanation.timeRule).toEqual({
    id: at.rule.id,
    name: 'Weekdays',
    held: { periods: WEEKDAYS, allowedExceptionDates: [], forbiddenExceptionDates: [], effectiveDate: null },
  })
  expect(explanation.nextOpening).toBeNull()
  expect(explanation.currency).toEqual({ current: true, since: null, changes: [] })
  expect(explanation.historyCompleteSince).toBeLessThan(now)
})

test('a passage outside the hours: the clock at the door, and when the rule opened next', async () => {
  const at = await gate()
  // Saturday 28 November 2026, 09:05:07 in Shanghai.
  const occurredAt = Date.parse('2026-11-28T01:05:07Z')
  const checks = encodeChecks([...personChecks, ruleCheck(at, false)])
  const explanation = await why(at, {
    occurredAt,
    personId: at.person.id,
    result: 0,
    failReason: failReason.outsidePassageTime,
    checks,
    revision: await revisionOf(at),
  })
  expect(explanation.local).toEqual({ date: '2026-11-28', time: '09:05:07', weekday: 6, zone: 'Asia/Shanghai', offset: 480 })
  expect(explanation.nextOpening).toBe(Date.parse('2026-11-30T08:00:00+08:00'))
})

describe('a door that decided on older settings', () => {
  test('since a rule was changed says so, and shows the hours it had', async () => {
    const at = await gate()
    const revision = await revisionOf(at)
    const checks = encodeChecks([...personChecks, ruleCheck(at)])
    now += MINUTE
    const changedAt = now
    await at.park.call(timeRuleCalls.change, {
      body: { id: at.rule.id, name: 'Mornings', periods: [{ weekday: 1, start: '08:00', end: '12:00' }] },
    })
    const before = await why(at, { occurredAt: changedAt - 1, personId: at.person.id, checks, revision })
    expect(before.currency).toMatchObject({ current: true })
    now += MINUTE
    // Changed again: the change has been missing since the first time.
    await at.park.call(timeRuleCalls.change, {
      body: { id: at.rule.id, name: 'Evenings', periods: [{ weekday: 2, start: '18:00', end: '24:00' }] },
    })
    now += MINUTE
    const after = await why(at, { personId: at.person.id, checks, revision })
    expect(after.currency).toEqual({
      current: false,
      since: changedAt,
      changes: [{ of: 'timeRule', id: at.rule.id, name: 'Evenings', kind: 'changed', since: changedAt }],
    })
    expect(after.timeRule).toMatchObject({ name: 'Evenings', held: { periods: WEEKDAYS } })
    const renewed = await why(at, { personId: at.person.id, checks, revision: await revisionOf(at) })
    expect(renewed.currency).toMatchObject({ current: true })
  })

  test('names strategies that were added, taken away and deleted', async () => {
    const at = await gate()
    const group = await at.park.deviceGroup()
    const other = await at.park.strategy({ name: 'Other', devices: [at.door] })
    const revision = await revisionOf(at)
    now += MINUTE
    const added = await at.park.strategy({ name: 'By group', deviceGroups: [group] })
    now += MINUTE
    const movedAt = now
    await at.park.call(deviceCalls.change, { body: { id: at.door.id, name: at.door.name, groupId: group.id, direction: 2 } })
    now += MINUTE
    const deletedAt = now
    await at.park.call(strategyCalls.delete, { query: { id: other.id } })
    now += MINUTE
    const takenAt = now
    await at.park.call(strategyCalls.change, {
      body: {
        id: at.strategy.id,
        name: 'Staff',
        personIds: [],
        personGroupIds: [],
        deviceIds: [],
        deviceGroupIds: [],
        timeRuleIds: [at.rule.id],
        methods: [accessMethod.card],
      },
    })
    now += MINUTE
    const { currency, strategy } = await why(at, { checks: encodeChecks([ruleCheck({ strategy: other, rule: at.rule })]), revision })
    expect(currency?.changes).toHaveLength(4)
    expect(currency).toMatchObject({
      current: false,
      since: movedAt,
      changes: expect.arrayContaining([
        { of: 'strategy', id: added.id, name: 'By group', kind: 'added', since: movedAt },
        { of: 'device', id: at.door.id, name: null, kind: 'changed', since: movedAt },
        { of: 'strategy', id: other.id, name: null, kind: 'removed', since: deletedAt },
        { of: 'strategy', id: at.strategy.id, name: 'Staff', kind: 'removed', since: takenAt },
      ]),
    })
    expect(strategy).toEqual({ id: other.id, name: null })
  })

  test('or on an older state of the person, or in the zone the park had', async () => {
    const at = await gate()
    const revision = await revisionOf(at)
    const checks = encodeChecks([...personChecks, ruleCheck(at)])
    now += MINUTE
    const disabledAt = now
    await at.park.call(peopleCalls.status, { body: { ids: [at.person.id], status: 0 } })
    now += MINUTE
    const zonedAt = now
    await world.server.contexts.organisation.service.change(at.park.park.id, { name: 'Park', zone: 'Europe/Berlin' })
    now += MINUTE
    const explanation = await why(at, { personId: at.person.id, checks, revision })
    expect(explanation.currency?.changes).toEqual([
      { of: 'person', id: at.person.id, name: null, kind: 'changed', since: disabledAt },
      { of: 'zone', id: at.park.park.id, name: null, kind: 'changed', since: zonedAt },
    ])
    // The time zone the terminal used is the one that counts.
    expect(explanation.local.zone).toBe('Asia/Shanghai')
    const refused = encodeChecks([{ code: 'enabled', ok: false }])
    const renewed = await why(at, { personId: at.person.id, result: 0, checks: refused, revision: await revisionOf(at) })
    expect(renewed.currency).toMatchObject({ current: true })
    expect(renewed.local.zone).toBe('Europe/Berlin')
    await at.park.call(peopleCalls.status, { body: { ids: [at.person.id], status: 1 } })
    const { id, name, groupId, workNumber } = at.person
    now += MINUTE
    await at.park.call(peopleCalls.change, { body: { id, name, groupId, workNumber, validTo: now + DAY } })
    const unbounded = await why(at, { personId: id, checks, revision: await revisionOf(at) })
    expect(unbounded.currency).toMatchObject({ current: false, since: now, changes: [{ of: 'person', since: now }] })
  })

  test('or by an older word on how strictly faces are compared, in the park or for the person', async () => {
    const at = await gate()
    const first = await revisionOf(at)
    const judged = (threshold: number) =>
      encodeChecks([{ code: 'face', ok: true, score: 99, threshold, distance: 0.1 }, ...personChecks, ruleCheck(at)])
    const usual = await manifestThreshold(at)
    const asBefore = { personId: at.person.id, checks: judged(usual), revision: first }
    expect((await why(at, asBefore)).currency).toMatchObject({ current: true })

    now += MINUTE
    const stricterAt = now
    const policy = {
      ...DEFAULT_PROMISES,
      margin: 5,
      lookAlikeMargin: 10,
      photosWanted: 2,
      liveness: { mode: 'off' as const, threshold: null },
    }
    await at.park.call(facePolicyCalls.change, { body: { ...policy, strangersPerThousand: 1 } })
    now += MINUTE
    const ownAt = now
    await at.park.call(faceCalls.setThreshold, { params: { id: at.person.id }, body: { threshold: 95 } })
    now += MINUTE
    expect((await why(at, asBefore)).currency?.changes).toEqual([
      { of: 'facePolicy', id: at.park.park.id, name: null, kind: 'changed', since: stricterAt },
      { of: 'person', id: at.person.id, name: null, kind: 'changed', since: ownAt },
    ])
    const revision = await revisionOf(at)
    expect((await why(at, { personId: at.person.id, checks: judged(95), revision })).currency).toMatchObject({ current: true })

    now += MINUTE
    const againAt = now
    await at.park.call(faceCalls.setThreshold, { params: { id: at.person.id }, body: { threshold: null } })
    expect((await why(at, { personId: at.person.id, checks: judged(95), revision })).currency?.changes).toMatchObject([
      { of: 'person', since: againAt },
    ])
    expect((await why(at, { personId: at.person.id, checks: judged(await manifestThreshold(at)), revision })).currency).toMatchObject({
      current: true,
    })
  })

  test('or by the score a park asked for before it promised anything, by whichever engine the door had', async () => {
    const at = await gate()
    const revision = await revisionOf(at)
    const scores = { door: 80, builtinDoor: 73 }
    // The state as an earlier version left it: the settings of the door and those of the park.
    const storeThreshold = async (threshold: number) =>
      sql`UPDATE settings_part SET content = jsonb_set(content - 'promise', '{threshold}', to_jsonb(${threshold}::float8))
        WHERE park_id = ${at.park.park.id}::uuid AND content ? 'threshold'`.execute(world.server.platform.db)
    const policy = { ...scores, margin: 5, lookAlikeMargin: 10, liveness: null }
    await sql`INSERT INTO history (entity, entity_id, revision, park_id, valid_from, content)
      VALUES ('facePolicy', ${at.park.park.id}::uuid, 1, ${at.park.park.id}::uuid, ${new Date(now)},
      ${JSON.stringify(policy)}::jsonb)`.execute(world.server.platform.db)
    now += MINUTE
    const explain = (threshold: number) =>
      why(at, {
        personId: at.person.id,
        checks: encodeChecks([{ code: 'face', ok: true, score: 99, threshold, distance: 0.1 }, ...personChecks, ruleCheck(at)]),
        revision,
      })
    for (const threshold of Object.values(scores)) {
      await storeThreshold(threshold)
      expect((await explain(threshold)).currency).toMatchObject({ current: true })
    }
    await storeThreshold(77)
    expect((await explain(77)).currency?.changes).toMatchObject([{ of: 'facePolicy', id: at.park.park.id }])
  })

  test('by the server’s clock, whatever the one at the door showed', async () => {
    const at = await gate()
    const revision = await revisionOf(at)
    const checks = encodeChecks([ruleCheck(at)])
    now += MINUTE
    const changedAt = now
    await at.park.call(timeRuleCalls.change, {
      body: { id: at.rule.id, name: 'Once', periods: [{ weekday: 7, start: '00:00', end: '01:00' }] },
    })
    now += MINUTE
    // Clocks an hour ahead and an hour behind.
    const ahead = await why(at, { occurredAt: changedAt - 1 + 60 * MINUTE, checks, revision }, { sentAt: now + 60 * MINUTE })
    expect(ahead).toMatchObject({ clockOffsetMs: -60 * MINUTE, currency: { current: true } })
    const behind = await why(at, { occurredAt: now - 60 * MINUTE, checks, revision }, { sentAt: now - 60 * MINUTE })
    expect(behind).toMatchObject({ clockOffsetMs: 60 * MINUTE, currency: { current: false, since: changedAt } })
  })
})

describe('what is not known is not claimed', () => {
  test('for a revision nobody keeps, or one of another door', async () => {
    const at = await gate()
    const other = await at.park.device()
    const checks = encodeChecks([ruleCheck(at, false)])
    for (const revision of ['', 'of-an-older-version', 'a.b.c', await revisionOf({ park: at.park, door: other })]) {
      const explanation = await why(at, { checks, revision })
      expect(explanation).toMatchObject({
        settingsRevision: revision,
        currency: null,
        nextOpening: null,
        strategy: { name: 'Staff' },
        timeRule: { name: 'Weekdays', held: null },
      })
      expect(explanation.local.zone).toBe('Asia/Shanghai')
    }
  })

  test('for a passage before history begins', async () => {
    const at = await gate()
    const explanation = await why(at, { occurredAt: now - DAY, checks: encodeChecks([ruleCheck(at)]), revision: await revisionOf(at) })
    expect(explanation).toMatchObject({ currency: null, timeRule: { held: { periods: WEEKDAYS } } })
    expect(explanation.historyCompleteSince).toBeGreaterThan(now - DAY)
  })

  test('for checks that cannot be read, or that name what can be no id', async () => {
    const at = await gate()
    const revision = await revisionOf(at)
    expect(await why(at, { checks: 'not checks at all', revision })).toMatchObject({ checks: [], strategy: null, timeRule: null })
    const odd = encodeChecks([{ code: 'timeRule', ok: false, strategyId: "'; --", ruleId: '..', reason: 'missing' }])
    expect(await why(at, { checks: odd, revision })).toMatchObject({
      strategy: { id: "'; --", name: null },
      timeRule: { id: '..', name: null, held: null },
    })
    expect(await why(at, { checks: '[[200,0]]', revision })).toMatchObject({
      checks: [{ code: 'unknown', ok: false, data: { number: 200 } }],
    })
  })
})

describe('what would have to change', () => {
  const refused = (check: Check) => ({
    result: 0,
    failReason: failReason.noAccessStrategy,
    checks: encodeChecks([...personChecks.filter(({ code }) => code !== check.code), check]),
  })
  const codesOf = ({ remedy }: { remedy: { code: string }[] }) => remedy.map(({ code }) => code)

  test('is nothing where the passage was allowed, or came without checks', async () => {
    const at = await gate()
    const revision = await revisionOf(at)
    expect((await why(at, { personId: at.person.id, checks: encodeChecks([...personChecks, ruleCheck(at)]), revision })).remedy).toEqual([])
    expect((await why(at, { result: 0, failReason: 1, checks: 'not checks at all', revision })).remedy).toEqual([])
  })

  test('leads to the rule, to the strategies, and says what one needs to change them', async () => {
    const at = await gate()
    const explanation = await why(at, { personId: at.person.id, ...refused(ruleCheck(at, false)), revision: await revisionOf(at) })
    const ids = { personId: at.person.id, deviceId: at.door.id, strategyId: at.strategy.id, timeRuleId: at.rule.id }
    const who = { you: true, users: [], roles: [], more: 0, company: null }
    expect(explanation.remedy).toEqual([
      { code: 'widenRule', permission: 'access.rule', path: `/timeRuleDetail/${at.rule.id}`, ids, who },
      { code: 'addToStrategy', permission: 'access.rule', path: '/passStrategy', ids, who },
    ])
    const method = await why(at, {
      personId: at.person.id,
      result: 0,
      failReason: 1,
      checks: encodeChecks([...personChecks, ruleCheck(at), { code: 'method', ok: false, method: 1 }]),
      revision: await revisionOf(at),
    })
    expect(method.remedy).toEqual([
      { code: 'addMethod', permission: 'access.rule', path: `/addPassStrategyDetail?id=${at.strategy.id}`, ids, who },
    ])
  })

  test('leads to the person who was disabled, or whose time is over', async () => {
    const at = await gate()
    const revision = await revisionOf(at)
    const about = { permission: 'own:person.edit', path: `/staffDetails/${at.person.id}` }
    expect((await why(at, { personId: at.person.id, ...refused({ code: 'enabled', ok: false }), revision })).remedy).toMatchObject([
      { code: 'waitForSync' },
      { code: 'enablePerson', ...about },
    ])
    expect(
      (await why(at, { personId: at.person.id, ...refused({ code: 'validity', ok: false, from: null, to: now - DAY }), revision })).remedy,
    ).toMatchObject([{ code: 'waitForSync' }, { code: 'extendValidity', ...about }])
    expect(codesOf(await why(at, { ...refused({ code: 'strategy', ok: false, count: 0 }), revision }))).toEqual(['addToStrategy'])
    expect(codesOf(await why(at, { ...refused({ code: 'liveness', ok: false, score: 0.1, threshold: 0.5 }), revision }))).toEqual([
      'tryAgain',
      'demandLess',
    ])
    // The remedy needs no permission and has no page.
    expect((await why(at, { ...refused({ code: 'samePerson', ok: false }), revision })).remedy).toMatchObject([
      { code: 'tryAgain', permission: null, path: null, who: null },
    ])
  })

  test('is the strategy that is yet to begin', async () => {
    const at = await gate()
    const later = now + 30 * DAY
    const next = await at.park.strategy({ name: 'Next month', devices: [at.door], persons: [at.person], validFrom: later })
    const explanation = await why(at, {
      personId: at.person.id,
      ...refused({ code: 'strategyBegun', ok: false, from: later }),
      revision: await revisionOf(at),
    })
    expect(explanation.remedy).toMatchObject([{ code: 'beginStrategy', path: `/addPassStrategyDetail?id=${next.id}` }])
  })

  test('of a stranger is to be registered; nobody is led to what is gone', async () => {
    const at = await gate()
    const revision = await revisionOf(at)
    const nobody: Check = { code: 'face', ok: false, score: 40, threshold: 70, distance: 1 }
    expect((await why(at, { ...refused(nobody), revision })).remedy).toMatchObject([
      { code: 'registerPerson', path: '/staffAdd' },
      { code: 'addPhoto', path: null, ids: { personId: null } },
    ])
    const gone = await at.park.strategy({ name: 'Gone', devices: [at.door] })
    const storedRevision = await revisionOf(at)
    await at.park.call(strategyCalls.delete, { query: { id: gone.id } })
    const explanation = await why(at, { ...refused(ruleCheck({ strategy: gone, rule: at.rule }, false)), revision: storedRevision })
    expect(explanation.remedy.map(({ ids }) => ids.strategyId)).toEqual(explanation.remedy.map(() => null))
  })

  test('of all checks that failed, what each of them needs', async () => {
    const at = await gate()
    const checks: Check[] = [
      ...personChecks,
      ruleCheck(at, false),
      { code: 'method', ok: false, method: 1 },
      { code: 'mask', ok: false, worn: 0 },
    ]
    const refusal = { personId: at.person.id, result: 0, failReason: 1, checks: encodeChecks(checks), revision: await revisionOf(at) }
    expect(codesOf(await why(at, refusal))).toEqual(['widenRule', 'addToStrategy', 'addMethod', 'tryAgain', 'demandLess'])
  })

  const unlike: Check = { code: 'face', ok: false, score: 45.8, threshold: 73, distance: 0.9 }
  const recognised = (reason: number, person: Made, revision: string) => ({
    personId: person.id,
    result: 0,
    failReason: reason,
    checks: encodeChecks([unlike]),
    revision,
  })

  test('of somebody the server recognised for the terminal is what the server missed, and nobody is registered twice', async () => {
    const at = await gate()
    const other = await at.park.person()
    const revision = await revisionOf(at)
    const about = { path: `/staffDetails/${other.id}`, who: { you: true } }
    const unpermitted = await why(at, recognised(failReason.noAccessStrategy, other, revision))
    expect(unpermitted).toMatchObject({
      recognised: 'noStrategy',
      remedy: [{ code: 'addToStrategy', path: '/passStrategy', who: { you: true } }],
    })

    await at.park.call(peopleCalls.status, { body: { ids: [other.id], status: 0 } })
    const disabled = await why(at, recognised(failReason.personReturned, other, revision))
    expect(disabled).toMatchObject({ recognised: 'disabled', remedy: [{ code: 'enablePerson', ...about }] })

    const late = await at.park.person({ validTo: now - DAY })
    const ended = await why(at, recognised(failReason.personReturned, late, await revisionOf(at)))
    expect(ended).toMatchObject({ recognised: 'validity', remedy: [{ code: 'extendValidity', path: `/staffDetails/${late.id}` }] })

    // Which of the two reasons it was is not stored.
    await at.park.call(peopleCalls.status, { body: { ids: [other.id], status: 1 } })
    const since = await why(at, recognised(failReason.personReturned, other, revision))
    expect(since).toMatchObject({ recognised: 'inactive', remedy: [{ code: 'tryAgain' }] })
    for (const { remedy } of [unpermitted, disabled, ended, since])
      expect(remedy.map(({ code }) => code)).not.toEqual(expect.arrayContaining([expect.stringMatching(/registerPerson|addPhoto/)]))
  })

  test('of somebody whom doors compare more strictly than others is to do so no more', async () => {
    const at = await gate()
    await at.park.call(faceCalls.setThreshold, { params: { id: at.person.id }, body: { threshold: 95 } })
    const revision = await revisionOf(at)
    const judged = (threshold: number) => encodeChecks([{ code: 'face', ok: false, score: 80, threshold, distance: 0.3 }])
    const usual = await manifestThreshold(at)
    const refusal = { result: 0, failReason: failReason.faceVerifyFailed, revision }
    const explanation = await why(at, { ...refusal, personId: at.person.id, checks: judged(95) })
    expect(explanation).toMatchObject({
      recognised: null,
      usualThreshold: expect.closeTo(usual, 3) as number,
      remedy: [{ code: 'lowerThreshold', path: `/staffDetails/${at.person.id}`, permission: 'own:person.edit' }, { code: 'addPhoto' }],
    })
    // A terminal that computes its threshold reports the usual one itself.
    const worked = encodeChecks([{ code: 'face', ok: false, score: 80, threshold: 95, distance: 0.3, templates: 40, usual: 79.2 }])
    expect(await why(at, { ...refusal, personId: at.person.id, checks: worked })).toMatchObject({ usualThreshold: 79.2 })
    const alike = encodeChecks([{ code: 'face', ok: false, score: 80, threshold: 95, distance: 0.3, templates: 4000 }])
    expect(await why(at, { ...refusal, personId: at.person.id, checks: alike })).toMatchObject({ usualThreshold: null })
    // The explanation does not say whom a stranger resembled, but it does say that a person is compared more strictly.
    expect(await why(at, { ...refusal, failReason: failReason.notRegistered, checks: judged(95) })).toMatchObject({
      usualThreshold: expect.closeTo(usual, 3) as number,
      remedy: [
        { code: 'registerPerson' },
        { code: 'lowerThreshold', path: null, ids: { personId: null } },
        { code: 'addPhoto', path: null },
      ],
    })
    const ordinary = await why(at, { ...refusal, personId: at.person.id, checks: judged(usual) })
    expect([ordinary.usualThreshold, codesOf(ordinary)]).toEqual([null, ['waitForSync', 'addPhoto']])
  })

  test('is only to wait where the change has been made and has not arrived', async () => {
    const at = await gate()
    const revision = await revisionOf(at)
    now += MINUTE
    await at.park.call(timeRuleCalls.change, {
      body: { id: at.rule.id, name: 'Longer', periods: [...WEEKDAYS, { weekday: 6, start: '08:00', end: '18:00' }] },
    })
    now += MINUTE
    const explanation = await why(at, { personId: at.person.id, ...refused(ruleCheck(at, false)), revision })
    expect(explanation.remedy[0]).toMatchObject({
      code: 'waitForSync',
      permission: 'device.list',
      path: `/deviceDetails/${at.door.id}`,
      who: null,
    })
  })
})

test('is answered to those who see the records of the park, and for its own only', async () => {
  const at = await gate()
  const { id } = await why(at, {})
  const elsewhere = await world.addPark()
  expect(await elsewhere.ask(recordCalls.why, { params: { id } })).toMatchObject({ status: 404 })
  expect(await at.park.ask(recordCalls.why, { params: { id: 'no-id' } })).toMatchObject({ status: 404 })
  const stranger = await world.session({ permissions: ['person.list'], park: at.park.park })
  expect(await stranger.ask(recordCalls.why, { params: { id } })).toMatchObject({ status: 403 })
})
