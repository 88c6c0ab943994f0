/** New ids. */
import { describe, expect, test } from 'vitest'
import { isUuid, newId } from './ids.ts'

describe('a new id', () => {
  test('is greater than the one before, also within a millisecond', () => {
    const ids = Array.from({ length: 50_000 }, newId)
    expect(ids.every((id, index) => index === 0 || id > ids[index - 1]!)).toBe(true)
  })

  test('is a UUIDv7 of this moment', () => {
    const before = Date.now()
    const id = newId()
    expect(isUuid(id)).toBe(true)
    expect(id).toMatch(/^.{14}7.{4}[89ab]/)
    // Ids count on into the next milliseconds where very many are made at once.
    expect(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) - before).toBeLessThan(1000)
    expect(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toBeGreaterThanOrEqual(before)
  })
})
