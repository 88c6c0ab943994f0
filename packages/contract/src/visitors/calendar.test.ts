import { expect, test } from 'vitest'
import { calendarFile } from './calendar.ts'

const visit = { visitTime: Date.parse('2026-11-30T08:00:00Z'), visitEndTime: Date.parse('2026-11-30T09:30:00Z'), address: '' }

test('an entry says when and where, and what a calendar could take for its own marks is escaped', () => {
  const lines = calendarFile(
    { ...visit, address: 'Gate 1; Long Road, 2\nBack yard' },
    'Visit, Park',
    0,
    'https://gate.example.org/#v',
  ).split('\r\n')
  expect(lines).toContain('DTSTART:20261130T080000Z')
  expect(lines).toContain('DTEND:20261130T093000Z')
  expect(lines).toContain(String.raw`SUMMARY:Visit\, Park`)
  expect(lines).toContain(String.raw`LOCATION:Gate 1\; Long Road\, 2\nBack yard`)
  expect(lines).toContain('URL:https://gate.example.org/#v')
})

test('a line has at most 75 bytes, and no character is cut', () => {
  const address = '园区大道一千零一号访客接待中心'.repeat(8)
  const file = calendarFile({ ...visit, address }, '来访', 0)
  for (const line of file.split('\r\n')) expect(new TextEncoder().encode(line).length).toBeLessThanOrEqual(75)
  expect(file.replaceAll('\r\n ', '')).toContain(`LOCATION:${address}`)
})
