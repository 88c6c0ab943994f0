import { expect, it } from 'vitest'
import { scoreInWords, shownScore } from './score.ts'

it('shows ten times the square root of a score, to two decimals', () => {
  expect(shownScore(100)).toBe(100)
  expect(shownScore(0)).toBe(0)
  expect(shownScore(50)).toBe(70.71)
  expect(shownScore(-1)).toBe(0)
})

it('never rounds a score in words up over a threshold it missed', () => {
  expect(scoreInWords(80)).toBe('89.4')
  expect(scoreInWords(79.99)).toBe('89.4')
  expect(scoreInWords(99.99)).toBe('99.9')
  expect(scoreInWords(100)).toBe('100.0')
  expect(scoreInWords(null)).toBe('–')
})
