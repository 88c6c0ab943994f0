import { describe, expect, test } from 'vitest'
import { prove, sentencesOf, type Account, type StoredRecord } from './proof.ts'

const HOLDING = { revision: 'r', audience: 'a', digest: '00000000000000ff', persons: 3 }

const account = (code: string, made: readonly string[], change: Partial<Account> = {}): Account => ({
  deviceId: `id of ${code}`,
  code,
  made: new Set(made),
  stored: HOLDING,
  expected: HOLDING,
  ...change,
})
const stored = (code: string, ids: readonly string[]): StoredRecord[] => ids.map((id) => ({ id, deviceId: `id of ${code}` }))

const ACCOUNTS = [account('one', ['r1', 'r2']), account('two', ['r3']), account('idle', [])]
const STORED = [...stored('one', ['r1', 'r2']), ...stored('two', ['r3'])]

test('holds when every record is stored once and every device holds what it should', () => {
  const proof = prove(ACCOUNTS, STORED)
  expect(proof).toEqual({ holds: true, made: 3, stored: 3, missing: [], twice: [], unknown: [], astray: [] })
  expect(sentencesOf(proof).at(-1)).toContain('nothing lost')
})

describe('fails', () => {
  test('when a record is lost', () => {
    const proof = prove(ACCOUNTS, STORED.slice(1))
    expect(proof).toMatchObject({ holds: false, missing: ['r1'], twice: [], unknown: [] })
    expect(sentencesOf(proof).join('\n')).toContain('Lost, 1: r1')
    expect(sentencesOf(proof).at(-1)).toBe('NOT PROVEN.')
  })

  test('when a record is stored twice, even as another one is lost', () => {
    expect(prove(ACCOUNTS, [...STORED.slice(1), STORED[1]!])).toMatchObject({
      holds: false,
      made: 3,
      stored: 3,
      missing: ['r1'],
      twice: ['r2'],
    })
    expect(prove(ACCOUNTS, [...STORED, STORED[0]!])).toMatchObject({ holds: false, twice: ['r1'], missing: [] })
  })

  test('when the server has a record nobody made, or under another device', () => {
    expect(prove(ACCOUNTS, [...STORED, ...stored('one', ['r9'])])).toMatchObject({ holds: false, unknown: ['r9'] })
    expect(prove(ACCOUNTS, [...stored('one', ['r1', 'r2', 'r3'])])).toMatchObject({ holds: false, unknown: ['r3'] })
  })

  test.each([
    ['another digest', { stored: { ...HOLDING, digest: '00000000000000fe' } }],
    ['an old revision', { stored: { ...HOLDING, revision: 'q' } }],
    ['a person less', { stored: { ...HOLDING, persons: 2 } }],
    ['nothing', { stored: null }],
    ['something the server does not confirm', { expected: null }],
  ])('when a device holds %s', (_, change) => {
    const proof = prove([ACCOUNTS[0]!, account('two', ['r3'], change)], STORED)
    expect(proof).toMatchObject({ holds: false, missing: [], twice: [], astray: [{ code: 'two' }] })
  })
})
