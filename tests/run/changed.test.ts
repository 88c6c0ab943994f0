import { expect, test } from 'vitest'
import { affectedTests, testsOfChange, type Module } from './changed.ts'

const modules: readonly Module[] = Object.entries({
  'packages/contract/src/doors/calls.ts': [],
  'apps/server/src/server.ts': ['apps/server/src/contexts.ts'],
  'apps/server/src/contexts.ts': ['apps/server/src/contexts/doors/index.ts', 'apps/server/src/contexts/cards/index.ts'],
  'packages/dev-env/src/world.ts': ['apps/server/src/server.ts'],
  'apps/server/src/contexts/doors/index.ts': ['apps/server/src/contexts/doors/service.ts'],
  'apps/server/src/contexts/doors/service.ts': ['packages/contract/src/doors/calls.ts'],
  'apps/server/src/contexts/doors/doors.test.ts': ['packages/dev-env/src/world.ts'],
  'apps/server/src/contexts/cards/index.ts': ['apps/server/src/contexts/doors/index.ts'],
  'apps/server/src/contexts/cards/cards.test.ts': ['packages/dev-env/src/world.ts'],
  'apps/server/src/contexts/people/index.ts': [],
  'apps/server/src/contexts/people/people.test.ts': ['packages/dev-env/src/world.ts'],
  'apps/terminal/src/door/door.ts': [],
  'apps/terminal/src/door/door.test.ts': ['apps/terminal/src/door/door.ts'],
  'tests/e2e/doors.e2e.ts': ['packages/dev-env/src/world.ts'],
  'tests/e2e/people.e2e.ts': ['packages/dev-env/src/world.ts'],
  'tests/integration/ladder.test.ts': ['packages/dev-env/src/world.ts'],
  'tests/system/door.system.ts': ['packages/dev-env/src/world.ts'],
}).map(([source, dependencies]) => ({ source, dependencies }))

test('a service is proved by the tests of its context, of those that use it, and by the browser tests of its area', () => {
  expect(affectedTests(modules, ['apps/server/src/contexts/doors/service.ts'])).toEqual([
    'apps/server/src/contexts/doors/doors.test.ts',
    'apps/server/src/contexts/cards/cards.test.ts',
    'tests/e2e/doors.e2e.ts',
  ])
})

test('a call that changes is walked', () => {
  expect(affectedTests(modules, ['packages/contract/src/doors/calls.ts'])).toContain('tests/integration/ladder.test.ts')
})

test('what imports a changed file runs, and so does a test that changed; nothing else', () => {
  expect(affectedTests(modules, ['apps/terminal/src/door/door.ts'])).toEqual(['apps/terminal/src/door/door.test.ts'])
  expect(affectedTests(modules, ['tests/e2e/people.e2e.ts'])).toEqual(['tests/e2e/people.e2e.ts'])
  expect(affectedTests(modules, ['tests/system/door.system.ts'])).toEqual(['tests/system/door.system.ts'])
  expect(affectedTests(modules, ['docs/glossary.md'])).toEqual([])
})

test('a commit that does not exist is refused, not taken for one without changes', async () => {
  await expect(testsOfChange('no-such-commit')).rejects.toThrow('no-such-commit')
})

test('what every world is made with concerns every test that starts one', () => {
  expect(affectedTests(modules, ['packages/dev-env/src/world.ts'])).toHaveLength(6)
})
