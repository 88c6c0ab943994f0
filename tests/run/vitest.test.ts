import { expect, test } from 'vitest'
import { unmatched } from './vitest.ts'

const files = ['tests/run/vitest.test.ts', 'apps/server/src/contexts/people/people.test.ts'].map((path) => ({ path, seconds: 0 }))

test('a name that no test file bears is told, beside one that is right', () => {
  expect(unmatched(['people', './tests/run', 'tests/run/vitest.test.ts:7', 'tests/run/nowhere.test.ts', 'nowhere'], files)).toEqual([
    'tests/run/nowhere.test.ts',
    'nowhere',
  ])
})

test('what may be the value of an option is no name', () => {
  expect(unmatched(['-t', 'somebody passes', '--shard=1/2', '--bail', '1'], files)).toEqual([])
})
