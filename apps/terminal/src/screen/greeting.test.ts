import { expect, test } from 'vitest'
import { TEXTS } from '../http/texts.ts'
import { dayPartOf, hourOf } from './greeting.ts'

test('every hour has its greeting, in the words of each language', () => {
  const greetings = (language: keyof typeof TEXTS) =>
    Array.from({ length: 24 }, (_, hour) => TEXTS[language].own[`greet.${dayPartOf(hour)}`])
  const runs = (language: keyof typeof TEXTS) =>
    greetings(language).flatMap((words, hour, all) => (words === all[hour - 1] ? [] : [`${hour} ${words}`]))
  expect(runs('zh-CN')).toEqual(['0 您好', '5 早上好', '9 上午好', '11 中午好', '13 下午好', '18 晚上好', '23 您好'])
  expect(runs('zh-TW')).toEqual(['0 您好', '5 早安', '11 午安', '18 晚安', '23 您好'])
  expect(runs('en')).toEqual(['0 Hello', '5 Good morning', '11 Hello', '13 Good afternoon', '18 Good evening', '23 Hello'])
})

test('the hour is that of the door’s place', () => {
  const instant = Date.UTC(2026, 10, 20, 23, 30)
  expect([hourOf(instant, 'UTC'), hourOf(instant, 'Asia/Shanghai'), hourOf(instant, '+05:45')]).toEqual([23, 7, 5])
  expect(hourOf(Date.UTC(2026, 10, 20, 0, 10), 'UTC')).toBe(0)
})
