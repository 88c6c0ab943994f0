import { expect, test } from 'vitest'
import { clockIn, instantOf } from './zone.ts'

test('a clock in the zone of the park is read as it is shown, before and after a change of the clocks', () => {
  for (const zone of ['Asia/Shanghai', 'Europe/Vienna', 'America/New_York', 'Asia/Kathmandu'])
    for (const clock of ['2026-03-28T23:30', '2026-03-29T03:30', '2026-07-01T09:00', '2026-10-25T12:00'])
      expect(clockIn(zone, instantOf(zone, clock)!), `${zone} ${clock}`).toBe(clock)
  expect(instantOf('Asia/Shanghai', '2026-11-30T08:00')).toBe(Date.parse('2026-11-30T00:00:00Z'))
  expect(instantOf('Asia/Shanghai', '')).toBeNull()
})
