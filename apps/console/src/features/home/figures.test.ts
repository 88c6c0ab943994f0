import { describe, expect, test } from 'vitest'
import { figuresOf, hadPassages, hasBegun } from './figures.ts'

const hours = Array.from({ length: 24 }, (_, hour) => ({ hour, in: 0, out: 0, ordinary: 0 }))
const quiet = { inside: 0, allowed: 0, rejected: 0, strangers: 0, hours, previous: { allowed: 412, rejected: 6, hours } }
const approvals = undefined
const all = { records: true, devices: true, people: true }

describe('figuresOf', () => {
  test('says before the first passage how the day before was, instead of a row of noughts', () =>
    expect(figuresOf({ today: quiet, approvals, maySee: all })).toEqual(['before', 'inside', 'doors']))

  test('counts the day from its first passage on, a refused one too', () => {
    expect(figuresOf({ today: { ...quiet, allowed: 1 }, approvals, maySee: all })).toEqual(['inside', 'allowed', 'rejected', 'doors'])
    expect(figuresOf({ today: { ...quiet, rejected: 1 }, approvals, maySee: all })).toEqual(['inside', 'allowed', 'rejected', 'doors'])
  })

  test('counts strangers where there are some', () =>
    expect(figuresOf({ today: { ...quiet, rejected: 2, strangers: 1 }, approvals, maySee: all })).toContain('strangers'))

  test('keeps the place of the figures of a day while they are on their way', () =>
    expect(figuresOf({ today: undefined, approvals, maySee: all })).toEqual(['inside', 'allowed', 'rejected', 'doors']))

  test('counts the register for those who do not see records', () => {
    expect(figuresOf({ today: undefined, approvals, maySee: { ...all, records: false } })).toEqual(['doors', 'registered', 'recognised'])
    expect(figuresOf({ today: undefined, approvals, maySee: { records: false, devices: false, people: true } })).toEqual([
      'registered',
      'recognised',
    ])
  })
})

test('says how applications went to those who decide them and see no records', () => {
  const decided = { pending: 0, passed: 4, rejected: 1, newest: null }
  const register = { records: false, devices: false, people: true }
  expect(figuresOf({ today: undefined, approvals: decided, maySee: register })).toEqual(['registered', 'recognised', 'applications'])
  expect(figuresOf({ today: quiet, approvals: decided, maySee: all })).not.toContain('applications')
})

test('a day has begun, and the one before had passages, where anybody was at a door, refused or not', () => {
  expect([hasBegun(quiet), hasBegun({ allowed: 0, rejected: 1 }), hasBegun({ allowed: 1, rejected: 0 })]).toEqual([false, true, true])
  expect(hadPassages(quiet)).toBe(true)
  expect(hadPassages({ previous: { allowed: 0, rejected: 0, hours } })).toBe(false)
})
