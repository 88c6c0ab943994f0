import { describe, expect, test } from 'vitest'
import { hourOfDay } from '../../kit/useHour.ts'
import { busiestOf, figuresOf, hadPassages, hasPassages, paceOf } from './figures.ts'

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
  expect([hasPassages(quiet), hasPassages({ allowed: 0, rejected: 1 }), hasPassages({ allowed: 1, rejected: 0 })]).toEqual([
    false,
    true,
    true,
  ])
  expect(hadPassages(quiet)).toBe(true)
  expect(hadPassages({ previous: { allowed: 0, rejected: 0, hours } })).toBe(false)
})

const day = (ordinary: number, passed: Record<number, [number, number]>) =>
  Array.from({ length: 24 }, (_, hour) => ({ hour, in: passed[hour]?.[0] ?? 0, out: passed[hour]?.[1] ?? 0, ordinary }))

describe('paceOf', () => {
  test('counts the hour under way as far as it has gone', () => {
    expect(paceOf(day(20, { 8: [40, 2], 9: [10, 3] }), 9.5)).toEqual({ entries: 50, ordinary: 190, difference: -74, busiest: 8 })
  })

  test('a busier day is above', () => expect(paceOf(day(10, { 1: [30, 0] }), 2).difference).toBe(50))

  test('tells a park without an ordinary day from an ordinary day that has hardly begun, and compares with neither', () => {
    expect(paceOf(day(0, { 8: [3, 1] }), 12)).toEqual({ entries: 3, ordinary: undefined, difference: undefined, busiest: 8 })
    expect(paceOf(day(4, { 0: [3, 1] }), 1.5)).toEqual({ entries: 3, ordinary: 6, difference: undefined, busiest: 0 })
  })

  test('a day on which nobody has come in has no busiest hour', () => expect(paceOf(day(1, {}), 6).busiest).toBeUndefined())
})

test('the busiest hour is the first of those with most entries', () => {
  expect(busiestOf(day(0, { 7: [5, 0], 8: [9, 1], 17: [9, 20] }))).toBe(8)
  expect(busiestOf(day(0, { 17: [0, 20] }))).toBeUndefined()
})

test('the hour is of the zone, not of this computer', () => {
  const now = Date.UTC(2026, 10, 20, 22, 30)
  expect(hourOfDay(now, 480)).toBe(6.5)
  expect(hourOfDay(now, -300)).toBe(17.5)
})
