import { expect, it } from 'vitest'
import { rateOfScore, recordedScore, scoreInWords, scoreOfRate, shownScore } from './score.ts'

it('shows ten times the square root of a score, to two decimals', () => {
  expect(shownScore(100)).toBe(100)
  expect(shownScore(0)).toBe(0)
  expect(shownScore(50)).toBe(70.71)
  expect(shownScore(-1)).toBe(0)
})

it('nothing above one in a million is shown or recorded, though it is compared and explained', () => {
  expect(shownScore(128)).toBe(100)
  expect(scoreInWords(128)).toBe('113.1')
  expect(recordedScore(128)).toBe(100)
  expect(recordedScore(62.5)).toBe(62.5)
})

it('never rounds a score in words up over a threshold it missed', () => {
  expect(scoreInWords(80)).toBe('89.4')
  expect(scoreInWords(79.99)).toBe('89.4')
  expect(scoreInWords(99.99)).toBe('99.9')
  expect(scoreInWords(100)).toBe('100.0')
  expect(scoreInWords(null)).toBe('–')
})

it.each([
  [1, 40],
  [1e-2, 60],
  [1e-3, 70],
  [1e-4, 80],
  [1e-5, 90],
  [1e-6, 100],
  [1e-9, 130],
])('a rate of %f is a score of %i, and the way back', (rate, score) => {
  expect(scoreOfRate(rate)).toBeCloseTo(score, 9)
  expect(rateOfScore(score) / rate).toBeCloseTo(1, 9)
})

it('rates stay within their bounds', () => {
  expect(rateOfScore(0)).toBe(1)
  expect(rateOfScore(39)).toBe(1)
})
