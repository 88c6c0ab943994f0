import { expect, test } from 'vitest'
import { timeSaidIn } from './saidTime.ts'

/** A Tuesday. */
const NOW = { day: '2026-11-24', time: '14:30' }
const said = (text: string, now = NOW): string => {
  const { said: time, rest } = timeSaidIn(text, now)
  return [
    ...(time === undefined ? ['-'] : [time.day, ...(time.times.to === '23:59' && time.times.from === '00:00' ? [] : [time.times.from])]),
    rest,
  ].join('|')
}

test.each([
  ['2026-11-20', '2026-11-20|'],
  ['2026/1/5 East gate', '2026-01-05|East gate'],
  ['2026年11月3日 东门', '2026-11-03|东门'],
  ['11-24', '2026-11-24|'],
  ['11-25', '2025-11-25|'],
  ['24/11', '2026-11-24|'],
  ['11月20号东门', '2026-11-20|东门'],
  ['3 November', '2026-11-03|'],
  ['Dec 24th', '2025-12-24|'],
  ['20日', '2026-11-20|'],
  ['31号', '2026-10-31|'],
])('the date %s', (text, expected) => expect(said(text)).toBe(expected))

test.each([
  ['今天', '2026-11-24|'],
  ['東門 昨天', '2026-11-23|東門'],
  ['前天', '2026-11-22|'],
  ['大前天', '2026-11-21|'],
  ['today', '2026-11-24|'],
  ['Yesterday east', '2026-11-23|east'],
  ['day before yesterday', '2026-11-22|'],
  ['东门 周二', '2026-11-24|东门'],
  ['周三', '2026-11-18|'],
  ['星期天', '2026-11-22|'],
  ['週一', '2026-11-23|'],
  ['上周二', '2026-11-17|'],
  ['上週五', '2026-11-20|'],
  ['上上周一', '2026-11-09|'],
  ['禮拜六', '2026-11-21|'],
  ['tuesday', '2026-11-24|'],
  ['last tuesday', '2026-11-17|'],
  ['last Friday', '2026-11-20|'],
  ['gate Mon', '2026-11-23|gate'],
])('the day %s', (text, expected) => expect(said(text)).toBe(expected))

test.each([
  ['2026-11-20 08:00', '2026-11-20|08:00|'],
  ['昨天下午3点半', '2026-11-23|15:30|'],
  ['周一 8點', '2026-11-23|08:00|'],
  ['昨天晚上11点', '2026-11-23|23:00|'],
  ['yesterday 3pm', '2026-11-23|15:00|'],
  ['12 am today', '2026-11-24|00:00|'],
  // Alone it is the last one.
  ['14:30', '2026-11-24|14:30|'],
  ['14:31', '2026-11-23|14:31|'],
  ['8:05 am gate', '2026-11-24|08:05|gate'],
])('the time %s', (text, expected) => expect(said(text)).toBe(expected))

test.each([
  'DEMO-1',
  'DEMO-11-24',
  'BH0003',
  '13609988363',
  'Sunny',
  'Montgomery',
  '东门入口',
  '1号门',
  '2026-13-40',
  '31-11',
  '2027-01-01',
  '25:00',
  '8.8.8.8',
  '10:20:30',
])('none in %s', (text) => expect(timeSaidIn(text, NOW)).toEqual({ said: undefined, rest: text }))

test('an hour ends with its day', () =>
  expect(timeSaidIn('23:30', NOW).said).toEqual({ day: '2026-11-23', times: { from: '23:30', to: '23:59' } }))
