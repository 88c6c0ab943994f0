/** After a change, each area that shows something of it is read again. */
import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isWrite, type Call } from '@gatehouse/contract'
import { calls, callsByArea } from '@gatehouse/contract/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { exportCalls } from '@gatehouse/contract/exports/calls'
import { importCalls } from '@gatehouse/contract/imports/calls'
import { isAffected } from './affected.ts'
import { readAfter, readOptions } from './query.ts'

test('the area of each call that writes is read again', () => {
  const writing = calls.filter(isWrite)
  expect(writing.length).toBeGreaterThan(100)
  for (const { area, url } of writing) expect(isAffected(area, area), url).toBe(true)
})

test('an area that says nothing is read again after every change, and everything after a change in it', () => {
  expect(isAffected('lockers', 'exports')).toBe(true)
  expect(isAffected('exports', 'lockers')).toBe(true)
  expect(isAffected('people', 'exports')).toBe(false)
})

test('a change is shown in the operation log, wherever it was', () => {
  for (const { area, url } of calls.filter(isWrite)) expect(isAffected('audit', area), url).toBe(true)
})

const contract = join(import.meta.dirname, '../../../../packages/contract/src')
const isCall = (value: unknown): value is Call => typeof value === 'object' && value !== null && 'url' in value && 'permission' in value

test('the area of a call is a folder it stands in', async () => {
  const foldersOf = new Map<Call, Set<string>>()
  for (const file of globSync('*/*.ts', { cwd: contract, exclude: ['**/*.test.ts'] })) {
    const folder = file.split(/[/\\]/)[0]!
    const module = (await import(join(contract, file))) as Record<string, unknown>
    for (const [, collection] of Object.entries(module).filter(([exported]) => exported.endsWith('Calls')))
      for (const call of Object.values(collection as object).filter(isCall))
        foldersOf.set(call, (foldersOf.get(call) ?? new Set()).add(folder))
  }
  const strange = [...foldersOf].filter(([{ area }, folders]) => !folders.has(area)).map(([{ area, url }]) => `${area} ${url}`)
  expect(strange).toEqual([])
  expect(new Set(calls.map(({ area }) => area))).toEqual(new Set(Object.keys(callsByArea)))
})

/** Read the calls as an open screen does; `times` returns how often the call of each area was read. */
function looked(...read: readonly Call[]) {
  const cache = new QueryClient({ defaultOptions: { queries: { staleTime: Infinity } } })
  const times = new Map<string, number>()
  for (const call of read) {
    const observer = new QueryObserver<unknown>(cache, {
      queryKey: readOptions(call, {}).queryKey,
      queryFn: () => {
        times.set(call.area, (times.get(call.area) ?? 0) + 1)
        return {}
      },
    })
    onTestFinished(observer.subscribe(() => {}))
  }
  return { cache, times: () => Object.fromEntries(times) }
}

test('what shows persons is read again after a change of one, and nothing else is', async () => {
  const { cache, times } = looked(peopleCalls.list, importCalls.list, exportCalls.list)
  await expect.poll(times).toEqual({ people: 1, imports: 1, exports: 1 })
  await readAfter(cache, peopleCalls.change)
  expect(times()).toEqual({ people: 2, imports: 2, exports: 1 })
  await readAfter(cache, exportCalls.cancel)
  expect(times()).toEqual({ people: 2, imports: 2, exports: 2 })
})

test('a list that is being read before its page is there is stale after a change, however late its answer comes', async () => {
  const cache = new QueryClient()
  const { queryKey } = readOptions(peopleCalls.list, { query: {} })
  const { promise, resolve } = Promise.withResolvers<object>()
  const reading = cache.prefetchQuery({ queryKey, queryFn: () => promise, staleTime: 10_000 })
  await readAfter(cache, peopleCalls.delete)
  resolve({ content: [] })
  await reading
  await expect.poll(() => cache.getQueryState(queryKey)?.isInvalidated).toBe(true)
})
