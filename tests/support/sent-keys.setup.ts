/** After each browser test: its pages have sent nothing the contract does not know. */
import { afterEach, expect } from 'vitest'
import { takeOddKeys } from './sent-keys.ts'

afterEach(() => {
  expect(takeOddKeys(), 'keys that the console sent and the contract does not know').toEqual([])
})
