import { expect, test } from 'vitest'
import { together } from './ruleValues.ts'

test('dates put together stand once and in order', () => {
  expect(together(['2026-12-25', '2026-01-01'], ['2026-12-25', '2026-05-01'])).toEqual(['2026-01-01', '2026-05-01', '2026-12-25'])
})
