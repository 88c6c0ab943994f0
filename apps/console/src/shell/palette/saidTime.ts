/** Days and times of day as they are typed, in any of the three languages: "东门 周二", "last tuesday", "11-24 8:00". Where more than one is meant, the nearest that is past. */
import { dayAfter, placeInWeek } from '../../kit/months.ts'
import { ALL_DAY, type Times } from '../../kit/range.ts'

export interface SaidTime {
  /** A date of the park, today at the latest. */
  day: string
  /** An hour where a time of day was typed. */
  times: Times
}

interface Now {
  /** A date of the park, and what its clocks show: `HH:mm`. */
  day: string
  time: string
}

/** What stands beside a Latin word or a number is no part of another: the code `DEMO-11-24` says no day. */
const alone = (pattern: string): RegExp => new RegExp(`(?<![\\p{Script=Latin}\\d_./:-])(?:${pattern})(?![\\p{Script=Latin}\\d_/:-])`, 'iu')
const anywhere = (pattern: string): RegExp => new RegExp(pattern, 'iu')

const two = (number: number): string => String(number).padStart(2, '0')

/** The date, or undefined where there is none such: the 31st of November. */
function dateOf(year: number, month: number, day: number): string | undefined {
  const date = `${year}-${two(month)}-${two(day)}`
  const moment = Date.parse(date)
  return Number.isFinite(moment) && new Date(moment).toISOString().startsWith(date) ? date : undefined
}

/** A date that is past, or today. */
const past = (date: string | undefined, today: string): string | undefined => (date === undefined || date > today ? undefined : date)

/** A day of a month, in this year or else in the last: the nearest that is past. */
function dayOfYear(month: number, day: number, today: string): string | undefined {
  const year = Number(today.slice(0, 4))
  return [year, year - 1].map((one) => past(dateOf(one, month, day), today)).find((date) => date !== undefined)
}

/** A day of this month, or of the last that has it. */
function dayOfMonth(day: number, today: string): string | undefined {
  const [year = 0, month = 0] = today.split('-').map(Number)
  const months = Array.from({ length: 3 }, (_, back) => new Date(Date.UTC(year, month - 1 - back, 1)))
  return months.map((one) => dateOf(one.getUTCFullYear(), one.getUTCMonth() + 1, day)).find((date) => date !== undefined && date <= today)
}

/** From Monday on. */
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const WEEKDAYS_IN_CHINESE = '一二三四五六日'
const MONTHS = 'january february march april may june july august september october november december'.split(' ')
/** Whole, or the first three letters. */
const MONTH_WORDS = MONTHS.map((month) => `${month.slice(0, 3)}(?:${month.slice(3)})?`).join('|')
const monthOf = (word: string): number => MONTHS.findIndex((month) => month.startsWith(word.slice(0, 3).toLowerCase())) + 1

/** Days since the last such day of the week: none where it is today. */
const sinceWeekday = (weekday: number, today: string): number => (placeInWeek(today, 1) - weekday + 7) % 7

function weekdayInChinese([, week = '', word = '']: RegExpMatchArray, today: string): string {
  const weekday = /\d/.test(word) ? Number(word) - 1 : WEEKDAYS_IN_CHINESE.indexOf(word.replace('天', '日'))
  const before = week.match(/上/g)?.length ?? 0
  return dayAfter(today, before > 0 ? weekday - placeInWeek(today, 1) - 7 * before : -sinceWeekday(weekday, today))
}

function weekdayInEnglish([, which = '', word = '']: RegExpMatchArray, today: string): string {
  const since = sinceWeekday(WEEKDAYS.indexOf(word.slice(0, 3).toLowerCase()), today)
  return dayAfter(today, -(since === 0 && /last/i.test(which) ? 7 : since))
}

type Reading = [pattern: RegExp, read: (match: RegExpMatchArray, today: string) => string | undefined]

/** What says a day, the most exact first. */
const DAYS: readonly Reading[] = [
  [
    alone(String.raw`(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*[日号號]?`),
    ([, year, month, day], today) => past(dateOf(+year!, +month!, +day!), today),
  ],
  [anywhere(String.raw`(?<!\d)(\d{1,2})\s*月\s*(\d{1,2})(?!\d)\s*[日号號]?`), ([, month, day], today) => dayOfYear(+month!, +day!, today)],
  [
    alone(String.raw`(\d{1,2})[-/](\d{1,2})`),
    ([, one, other], today) => (+one! > 12 ? dayOfYear(+other!, +one!, today) : dayOfYear(+one!, +other!, today)),
  ],
  [alone(String.raw`(\d{1,2})(?:st|nd|rd|th)?\s+(${MONTH_WORDS})`), ([, day, word], today) => dayOfYear(monthOf(word!), +day!, today)],
  [alone(String.raw`(${MONTH_WORDS})\s+(\d{1,2})(?:st|nd|rd|th)?`), ([, word, day], today) => dayOfYear(monthOf(word!), +day!, today)],
  [anywhere('大前[天日]'), (_, today) => dayAfter(today, -3)],
  [anywhere(String.raw`前[天日]|\bday before yesterday\b`), (_, today) => dayAfter(today, -2)],
  [anywhere(String.raw`昨[天日]|\byesterday\b`), (_, today) => dayAfter(today, -1)],
  [anywhere(String.raw`今[天日]|\btoday\b`), (_, today) => today],
  [anywhere('(上上个?|上上個|上个?|上個|这个?|這個?|本)?(?:周|週|星期|礼拜|禮拜)([一二三四五六日天1-7])'), weekdayInChinese],
  [
    alone(
      String.raw`(last\s+|this\s+|on\s+)?(mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)`,
    ),
    weekdayInEnglish,
  ],
  // `1号门` is a door.
  [anywhere(String.raw`(?<![\d月])(\d{1,2})\s*[日号號](?!\p{Script=Han})`), ([, day], today) => dayOfMonth(+day!, today)],
]

const NOON = '(凌晨|清晨|早上|上午|中午|下午|傍晚|晚上|晚)?'
/** What says a time of day. */
const CLOCKS: readonly RegExp[] = [
  anywhere(String.raw`${NOON}\s*(?<![\p{Script=Latin}\d:：])(\d{1,2})\s*[:：]\s*(\d{2})(?![\d:：])()\s*(am|pm)?(?!\p{Script=Latin})`),
  anywhere(String.raw`${NOON}\s*(?<!\d)(\d{1,2})\s*[点點时時](?:(半)|(\d{1,2})\s*分?)?()`),
  alone(String.raw`()(\d{1,2})()()\s*(am|pm)`),
]

/** Minutes since midnight; undefined where no clock shows it. */
function minutesOf([, noon = '', hour = '', minute = '', more = '', half = '']: RegExpMatchArray): number | undefined {
  const afternoon = /下午|傍晚|晚/.test(noon) || half.toLowerCase() === 'pm'
  const morning = half.toLowerCase() === 'am'
  const spoken = Number(hour)
  const minutes = minute === '半' ? 30 : Number(minute || more || 0)
  const hours = afternoon && spoken < 12 ? spoken + 12 : morning && spoken === 12 ? 0 : spoken
  return hours < 24 && minutes < 60 ? hours * 60 + minutes : undefined
}

const LAST_MINUTE = 24 * 60 - 1
const clock = (minutes: number): string => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
/** An hour from a time on, as far as the day goes. */
const hourFrom = (minutes: number): Times => ({ from: clock(minutes), to: clock(Math.min(minutes + 59, LAST_MINUTE)) })

/**
 * What a text says of time, and what else it says.
 *
 * @returns `said` undefined where it says nothing of time, or nothing that is past
 */
export function timeSaidIn(text: string, { day: today, time }: Now): { said: SaidTime | undefined; rest: string } {
  let rest = text
  /** Takes out what a pattern finds, where it can be read. */
  function take<T>(pattern: RegExp, read: (match: RegExpMatchArray) => T | undefined): T | undefined {
    const match = rest.match(pattern)
    const value = match === null ? undefined : read(match)
    if (match !== null && value !== undefined) rest = `${rest.slice(0, match.index)} ${rest.slice(match.index! + match[0].length)}`
    return value
  }
  const first = <T>(tries: (() => T | undefined)[]): T | undefined => {
    for (const one of tries) {
      const value = one()
      if (value !== undefined) return value
    }
    return undefined
  }
  const minutes = first(CLOCKS.map((pattern) => () => take(pattern, minutesOf)))
  const day = first(
    DAYS.map(
      ([pattern, read]) =>
        () =>
          take(pattern, (match) => read(match, today)),
    ),
  )
  rest = rest.replace(/\s+/g, ' ').trim()
  if (day === undefined && minutes === undefined) return { said: undefined, rest }
  const times = minutes === undefined ? ALL_DAY : hourFrom(minutes)
  return { said: { day: day ?? (times.from <= time ? today : dayAfter(today, -1)), times }, rest }
}
