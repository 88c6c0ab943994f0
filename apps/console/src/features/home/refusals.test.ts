import { describe, expect, test } from 'vitest'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { testingRecord } from '../../shared/testing/record.ts'
import { newestRefused, stepAfter, withOlder } from './refusals.ts'

const NOT_REGISTERED = 904
const NO_STRATEGY = 19

const refused = (more: Partial<AccessRecord> = {}): AccessRecord =>
  testingRecord('r1', 1_000, { result: 0, failReason: NO_STRATEGY, ...more })
const hit: AccessRecord['watchList'] = {
  personId: 'w1',
  personName: 'James Moriarty',
  groupName: 'Wanted',
  reason: '',
  instruction: '',
  registeredImage: '',
  score: 90,
}

describe('stepAfter', () => {
  test('leads from somebody known to what would let them pass', () => expect(stepAfter(refused())).toBe('pass'))

  test('leads from somebody nobody knows to the register', () =>
    expect(stepAfter(refused({ personId: null, failReason: NOT_REGISTERED }))).toBe('register'))

  test('offers nothing for those admitted, of the watch list, or erased', () => {
    expect(stepAfter(refused({ result: 1, failReason: null }))).toBeUndefined()
    expect(stepAfter(refused({ personId: null, failReason: NOT_REGISTERED, watchList: hit }))).toBeUndefined()
    expect(stepAfter(refused({ personId: '1f47fd20-0000-8000-8000-000000000000' }))).toBeUndefined()
  })
})

test('the newest refused is of today, and one of which something follows', () => {
  const at = (id: string, time: number, more: Partial<AccessRecord> = {}) => refused({ id, time, ...more })
  const records = [
    at('hit', 900, { watchList: hit }),
    at('admitted', 800, { result: 1 }),
    at('older', 500),
    at('newer', 700),
    at('before', 99),
  ]
  expect(newestRefused(records, 100)?.id).toBe('newer')
  expect(newestRefused([at('before', 99)], 100)).toBeUndefined()
})

test('somebody found on the watch list since is not taken for a stranger of an earlier reading', () => {
  const stranger = refused({ personId: null, failReason: NOT_REGISTERED })
  const records = withOlder([{ ...stranger, watchList: hit }], [stranger, refused({ id: 'r0', time: 500 })])
  expect(records.map(({ id, watchList }) => [id, watchList?.personName])).toEqual([
    ['r1', 'James Moriarty'],
    ['r0', undefined],
  ])
  expect(newestRefused(records, 0)?.id).toBe('r0')
  // A record of a frame has no hit: the copy that was read with the hit comes first and is kept.
  expect(withOlder([{ ...stranger, watchList: hit }, stranger], [])[0]?.watchList).toBeDefined()
})
