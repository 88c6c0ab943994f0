import { expect, test } from 'vitest'
import { isAbove, isVersion } from './version.ts'

test.each(['0.1.0', '1.0.0', '10.20.30'])('%s is a version', (text) => {
  expect(isVersion(text)).toBe(true)
})

test.each(['', '1', '1.2', '1.2.3.4', 'v1.2.3', '1.2.3-rc.1', '01.2.3', '1.2.x', ' 1.2.3'])('"%s" is none', (text) => {
  expect(isVersion(text)).toBe(false)
})

test.each([
  ['0.1.1', '0.1.0', true],
  ['0.2.0', '0.1.9', true],
  ['1.0.0', '0.9.9', true],
  ['0.10.0', '0.9.0', true],
  ['0.1.0', '0.1.0', false],
  ['0.1.0', '0.1.1', false],
  ['0.9.9', '1.0.0', false],
  ['0.9.0', '0.10.0', false],
])('%s above %s: %s', (version, other, above) => {
  expect(isAbove(version, other)).toBe(above)
})
