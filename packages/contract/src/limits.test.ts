import { expect, it } from 'vitest'
import * as limits from './limits.ts'

it('offers only page sizes that the server accepts', () => {
  expect(limits.PAGE_SIZE_OPTIONS).toContain(limits.PAGE_SIZE_DEFAULT)
  expect(Math.max(...limits.PAGE_SIZE_OPTIONS)).toBe(limits.PAGE_SIZE_MAX)
})

it('lists every time zone once, from west to east', () => {
  expect(limits.TIME_ZONES[0]).toBe(-11 * 60)
  expect(limits.TIME_ZONES.at(-1)).toBe(14 * 60)
  expect([...new Set<number>(limits.TIME_ZONES)].sort((a, b) => a - b)).toEqual([...limits.TIME_ZONES])
})

it('never puts a least value above its largest', () => {
  const all = limits as Record<string, unknown>
  const pairs = Object.keys(all).filter((name) => name.endsWith('_MIN') && `${name.slice(0, -4)}_MAX` in all)
  expect(pairs).not.toHaveLength(0)
  for (const name of pairs) expect(all[name], name).toBeLessThan(all[`${name.slice(0, -4)}_MAX`] as number)
})
