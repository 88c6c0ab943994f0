import { describe, expect, test } from 'vitest'
import { personSyncStatus as statusOf } from '@gatehouse/contract/enums/access'
import { OVERTIME_AFTER_MS, pairStatusOf, type PairFacts } from './pair-status.ts'

const DESIRED = { id: 'wanted', compareSeq: 4, updatedAt: 1_000 }
const NOW = 2_000
/** Return a member at a device that has stored everything. */
const facts = (change: Partial<PairFacts> = {}): PairFacts => ({
  reported: { audienceId: 'wanted', cursor: 9, assignedAt: 500 },
  desired: DESIRED,
  member: true,
  before: false,
  ...change,
})
const withReport = (cursor: number, audienceId: string | null = 'wanted') => ({ reported: { audienceId, cursor, assignedAt: 500 } })
const change = (seq: number, changedAt = 1_500) => ({ change: { seq, changedAt } })
const failure = (cursor: number) => ({ failure: { reason: 'photoRefused', cursor, since: 1_200 } })
const statusAt = (given: PairFacts, now = NOW) => pairStatusOf(given, now)?.status ?? null

describe('a member', () => {
  test.each<[string, PairFacts, number]>([
    ['of a device that has taken all', facts(), statusOf.success],
    ['whose change was taken', facts(change(9)), statusOf.success],
    ['whose change was not taken', facts(change(10)), statusOf.syncing],
    ['of a device that must compare', facts(withReport(3)), statusOf.syncing],
    ['of a device that holds another audience', facts(withReport(9, 'other')), statusOf.syncing],
    ['of a device that holds none', facts(withReport(0, null)), statusOf.syncing],
    ['who was refused', facts(failure(9)), statusOf.failed],
    ['who was refused at the newest change', facts({ ...failure(9), ...change(9) }), statusOf.failed],
    ['who was refused before the newest change', facts({ ...failure(9), ...change(10) }), statusOf.syncing],
    [
      'who was refused before, and the device has taken the change since',
      facts({ ...withReport(10), ...failure(9), ...change(10) }),
      statusOf.failed,
    ],
    ['who was refused by a device that must compare', facts({ ...withReport(3), ...failure(3) }), statusOf.syncing],
    ['who was refused by a device that holds another audience', facts({ ...withReport(9, 'other'), ...failure(9) }), statusOf.syncing],
  ])('%s', (_, given, expected) => {
    expect(statusAt(given)).toBe(expected)
  })
})

describe('somebody who is no member', () => {
  const gone = (given: Partial<PairFacts> = {}) => facts({ member: false, ...given })
  test.each<[string, PairFacts, number | null]>([
    ['and never was', gone(), null],
    ['and was taken off', gone(change(9)), null],
    ['and has not been taken off', gone(change(10)), statusOf.deleting],
    ['but of the audience the device still holds', gone({ ...withReport(9, 'other'), before: true }), statusOf.deleting],
    ['nor of the audience the device still holds', gone(withReport(9, 'other')), null],
  ])('%s', (_, given, expected) => {
    expect(statusAt(given)).toBe(expected)
  })
})

test('what is waited for ten minutes is not overtime, a millisecond later it is', () => {
  const at = 1_500 + OVERTIME_AFTER_MS
  expect(statusAt(facts(change(10)), at)).toBe(statusOf.syncing)
  expect(statusAt(facts(change(10)), at + 1)).toBe(statusOf.overtime)
  expect(pairStatusOf(facts({ member: false, ...change(10) }), at + 1)).toEqual({
    status: statusOf.overtime,
    leaving: true,
    reason: null,
    since: 1_500,
  })
})

test('a device that was asked again has ten minutes from then', () => {
  const asked = { reported: { audienceId: 'wanted', cursor: 9, assignedAt: 1_500 + OVERTIME_AFTER_MS } }
  expect(statusAt(facts({ ...change(10), ...asked }), 1_600 + OVERTIME_AFTER_MS)).toBe(statusOf.syncing)
})
