import { afterEach, expect, test, vi } from 'vitest'
import { CHUNK_LOAD_TIMEOUT } from '@gatehouse/contract'
import { pages, type LoadPage } from '../pages.ts'
import { loadPage } from './loadPage.ts'

const Page = () => null
afterEach(() => vi.useRealTimers())

const ways = () => ({ leave: vi.fn<() => void>(), afresh: vi.fn<() => void>() })

test('a screen is loaded when it is wanted, not before [BEH-021]', async () => {
  const load = vi.fn<LoadPage>(async () => ({ default: Page }))
  expect(load).not.toHaveBeenCalled()
  expect(await loadPage(load, ways())).toBe(Page)
  expect(load).toHaveBeenCalledOnce()
  for (const [name, of] of Object.entries(pages)) expect(of, name).toBeTypeOf('function')
})

test('a screen that fails to load is left, and another try takes a new document [BEH-022]', async () => {
  const { leave, afresh } = ways()
  const load = vi.fn<LoadPage>(() => Promise.reject(new Error('no such file')))
  await expect(loadPage(load, { leave, afresh })).rejects.toThrow('no such file')
  expect([leave.mock.calls.length, afresh.mock.calls.length]).toEqual([1, 0])
  void loadPage(load, { leave, afresh })
  expect([leave.mock.calls.length, afresh.mock.calls.length, load.mock.calls.length]).toEqual([1, 1, 1])
  expect(await loadPage(async () => ({ default: Page }), { leave, afresh })).toBe(Page)
})

test('a screen that is not there after 120 seconds is an error of its own, and is left [BEH-022, BEH-023]', async () => {
  vi.useFakeTimers()
  const { leave, afresh } = ways()
  const late = loadPage(() => new Promise(() => {}), { leave, afresh })
  const failed = late.catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(CHUNK_LOAD_TIMEOUT * 1000 - 1)
  expect(leave).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  expect(await failed).toMatchObject({ family: 'client', code: 'CHUNK_LOAD_TIMEOUT' })
  expect([CHUNK_LOAD_TIMEOUT, leave.mock.calls.length]).toEqual([120, 1])
})
