import { expect, test } from 'vitest'
import type { Module } from './changed.ts'
import { concernedTests } from './faults/concerned.ts'
import { consoleKinds } from './faults/console-kinds.ts'
import { drawFaults, faultsIn, patchOf, withFault, type Fault } from './faults/draw.ts'
import { serverKinds } from './faults/server-kinds.ts'

/** Return the variants of a text, one for each fault it can have. */
const faulty = (text: string, path = 'apps/server/src/contexts/doors/service.ts'): string[] => {
  const isOfConsole = path.startsWith('apps/console/')
  const kinds = isOfConsole ? consoleKinds : serverKinds
  return faultsIn(text, path, isOfConsole ? 'console' : 'server', kinds).map((fault) => withFault(text, fault))
}
const inConsole = (text: string) => faulty(text, 'apps/console/src/features/doors/Doors.tsx')

test.each([
  [`call({ method: 'GET', permission: 'device.list' })`, `call({ method: 'GET', permission: 'self' })`],
  [`rows.where('parkId', '=', scope.parkId).where('state', '=', state)`, `rows.where('state', '=', state)`],
  ['sql`SELECT FROM door WHERE park_id = ${scope.parkId}::uuid AND id = 1`', 'sql`SELECT FROM door WHERE id = 1`'],
  ['sql`SELECT FROM door WHERE id = 1 AND door.park_id = ${park}`', 'sql`SELECT FROM door WHERE id = 1`'],
  ['sql`SELECT FROM door WHERE park_id = ${park} LIMIT 1`', 'sql`SELECT FROM door WHERE true LIMIT 1`'],
  [`refuse(400205, 'deviceId')`, `refuse(400206, 'deviceId')`],
  [`rows.set({ state, version: next })`, `rows.set({ version: next })`],
  [`if (isOpen && !isHeld) throw new NotFound()`, `if (isOpen && isHeld) throw new NotFound()`],
  [`z.array(id).max(DOORS_AT_ONCE)`, `z.array(id).max(DOORS_AT_ONCE + 1)`],
  [`const few = doors.length <= 50`, `const few = doors.length < 50`],
  [`{ await platform.events.announce(tx, doorsChanged); return }`, `{ return }`],
  [`for (const id of ids) await data.deleteDoor(id)`, `for (const id of ids) {}`],
])('a fault of the server: %s', (before, after) => {
  expect(faulty(before)).toContain(after)
})

test.each([
  [`rows.deleteFrom('door').where('id', '=', id).where('parkId', '=', park).execute()`],
  [`rows.updateTable('doorHold').set({ until }).where('parkId', '=', park).where('deviceId', '=', id).execute()`],
  [`if (door === undefined) throw new NotFound()`],
  [`if (rows.length > 0) return rows`],
  [`rows.map((row) => ({ ...row, at: row.at as number, until: row.until as number }))`],
  [`const name = z.string().max(64).optional()`],
  [`await lock(tx, scope)`],
])('what is no fault, or says nothing: %s', (text) => {
  expect(faulty(text)).toEqual([])
})

test.each([
  [`write.run({ body: { id, state } })`, `write.run({ body: { id } })`],
  [`<Form hidden={{ id }} />`, `<Form hidden={{}} />`],
  [`<p>{isOpen && <b />}</p>`, `<p>{!isOpen && <b />}</p>`],
  [`<Button disabled={busy} />`, `<Button disabled={!busy} />`],
  [`useWrite(call, { done, onDone: close })`, `useWrite(call, { done })`],
  [`const mayOpen = useMay('device.list')`, `const mayOpen = true`],
])('a fault of the console: %s', (before, after) => {
  expect(inConsole(before)).toContain(after)
})

test('a text is replaced by another of its folder', () => {
  const before = `const { t } = useTranslation('doors'); t('batch.run')`
  expect(inConsole(before)).toEqual([expect.stringMatching(/ t\('batch\.(?!run')\w+'\)$/)])
})

test('a patch names what it changes and what stands around it', () => {
  const text = 'one\ntwo\nthree\nfour\n'
  const fault: Fault = { start: 4, end: 8, text: '', side: 'server', kind: 'effect left out', context: 'doors', path: 'a.ts', line: 2 }
  expect(patchOf(fault, 1, text)).toBe('--- a/a.ts\n+++ b/a.ts\n@@ -1,3 +1,2 @@\n one\n-two\n three\n')
})

test('a draw is the same for a seed, mixes kinds and areas, and takes no file twice', () => {
  const candidates = ['server', 'console'].flatMap((side) =>
    ['one', 'two'].flatMap((kind) =>
      ['doors', 'cards', 'people'].flatMap((context) =>
        ['a', 'b', 'c'].map(
          (name, at) => ({ start: at, end: at, text: '', line: 1, side, kind, context, path: `${side}/${context}/${name}.ts` }) as Fault,
        ),
      ),
    ),
  )
  const drawn = drawFaults(candidates, 10, 'a seed')
  expect(drawFaults(candidates, 10, 'a seed')).toEqual(drawn)
  expect(drawFaults(candidates, 10, 'another')).not.toEqual(drawn)
  expect(drawn.map(({ side }) => side)).toEqual([...Array<string>(6).fill('server'), ...Array<string>(4).fill('console')])
  expect(new Set(drawn.map(({ path }) => path)).size).toBe(10)
  expect(drawn.filter(({ kind }) => kind === 'one')).toHaveLength(5)
  expect(drawn.filter(({ context, side }) => side === 'server' && context === 'doors')).toHaveLength(2)
})

const modules: readonly Module[] = Object.entries({
  'packages/contract/src/doors/calls.ts': ['packages/contract/src/schema.ts'],
  'packages/contract/src/schema.ts': [],
  'packages/contract/src/specification.test.ts': ['packages/contract/src/doors/calls.ts'],
  'apps/server/src/contexts/doors/calls.ts': ['packages/contract/src/doors/calls.ts'],
  'apps/server/src/contexts/doors/doors.test.ts': [],
  'apps/server/src/contexts/cards/cards.test.ts': [],
  'apps/server/src/platform/events/feed.ts': [],
  'apps/server/src/platform/database/history.test.ts': [],
  'apps/console/src/kit/DoorTag.tsx': [],
  'apps/console/src/features/doors/DoorPage.tsx': ['apps/console/src/kit/DoorTag.tsx'],
  'apps/console/src/features/doors/batch/rows.ts': [],
  'apps/console/src/features/doors/batch/rows.test.ts': ['apps/console/src/features/doors/batch/rows.ts'],
  'tests/integration/ladder.test.ts': [],
  'tests/integration/events.test.ts': [],
  'tests/e2e/doors.e2e.ts': [],
  'tests/e2e/door-batch.e2e.ts': [],
  'tests/e2e/cards.e2e.ts': [],
  'tests/e2e/shell.e2e.ts': [],
  'tests/e2e/screens-light.e2e.ts': [],
}).map(([source, dependencies]) => ({ source, dependencies }))
const concerned = (path: string): string[] =>
  concernedTests(modules, path).map(({ name, tests }) => `${name}: ${tests.map((one) => one.split('/').at(-1)).join(' ')}`)

test(
  'a fault of the server is looked for by its context, the walks, the browser tests of its area, and then by all other tests ' +
    'of the server',
  () => {
    const others = 'all others: cards.test.ts history.test.ts events.test.ts'
    const tests = ['own: doors.test.ts', 'walks: ladder.test.ts', 'browser: doors.e2e.ts door-batch.e2e.ts', others]
    expect(concerned('apps/server/src/contexts/doors/calls.ts')).toEqual(tests)
    expect(concerned('packages/contract/src/doors/calls.ts')).toEqual(['own: specification.test.ts doors.test.ts', ...tests.slice(1)])
    expect(concerned('packages/contract/src/schema.ts')).toEqual(concerned('packages/contract/src/doors/calls.ts'))
  },
)

test('a fault of the platform is looked for by the tests of the platform, and by the integration test that is named after it', () => {
  const [own] = concerned('apps/server/src/platform/events/feed.ts')
  expect(own).toBe('own: history.test.ts events.test.ts')
})

test('a fault of the console is looked for by what imports it, the browser tests of its area and the walk over all screens', () => {
  const inBrowser = ['browser: doors.e2e.ts door-batch.e2e.ts', 'every screen: screens-light.e2e.ts']
  expect(concerned('apps/console/src/features/doors/batch/rows.ts')).toEqual(['own: rows.test.ts', ...inBrowser])
  expect(concerned('apps/console/src/features/doors/DoorPage.tsx')).toEqual(inBrowser)
  expect(concerned('apps/console/src/kit/DoorTag.tsx')).toEqual(['browser: doors.e2e.ts door-batch.e2e.ts shell.e2e.ts', inBrowser[1]])
})
