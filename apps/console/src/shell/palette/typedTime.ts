/**
 * Days and times of day as users type them, in any of the three languages: "东门 周二", "上周", "last tuesday", "11-24 8:00".
 * An ambiguous one is the nearest that is past.
 */
import { dayAfter, monthAfter, placeInWeek, monthOf as monthOfDay } from '../../kit/months.ts'
import { ALL_DAY, daysOfPreset, type Days, type Preset, type Times } from '../../kit/list/range.ts'

export interface TypedTime {
  /** Dates of the park, today at the latest. */
  days: Days
  /** An hour for a typed time of day, several hours for a part of the day. */
  times: Times
}

export interface Now {
  /** The park's date, and its time of day as `HH:mm`. */
  day: string
  time: string
  /** First day of the week, 0 is Sunday. */
  weekStart: 0 | 1
}

/** Return a pattern that is no part of a longer word or number: the code `DEMO-11-24` contains no day. */
const alone = (pattern: string): RegExp => new RegExp(`(?<![\\p{Script=Latin}\\d_./:-])(?:${pattern})(?![\\p{Script=Latin}\\d_/:-])`, 'iu')
const anywhere = (pattern: string): RegExp => new RegExp(pattern, 'iu')

const two = (number: number): string => String(number).padStart(2, '0')

/** Return the date, or undefined where it does not exist: the 31st of November. */
function dateOf(year: number, month: number, day: number): string | undefined {
  const date = `${year}-${two(month)}-${two(day)}`
  const moment = Date.parse(date)
  return Number.isFinite(moment) && new Date(moment).toISOString().startsWith(date) ? date : undefined
}

/** Return the date if it is past or today. */
const past = (date: string | undefined, today: string): string | undefined => (date === undefined || date > today ? undefined : date)

/** Return a day of a month, in this year or else in the last: the nearest that is past. */
function dayOfYear(month: number, day: number, today: string): string | undefined {
  const year = Number(today.slice(0, 4))
  return [year, year - 1].map((one) => past(dateOf(one, month, day), today)).find((date) => date !== undefined)
}

/** Return a day of this month, or of the last month that has it. */
function dayOfMonth(day: number, today: string): string | undefined {
  const [year = 0, month = 0] = today.split('-').map(Number)
  const months = Array.from({ length: 3 }, (_, back) => new Date(Date.UTC(year, month - 1 - back, 1)))
  return months.map((one) => dateOf(one.getUTCFullYear(), one.getUTCMonth() + 1, day)).find((date) => date !== undefined && date <= today)
}

/** Starting on Monday. */
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const WEEKDAYS_IN_CHINESE = '一二三四五六日'
const MONTHS = 'january february march april may june july august september october november december'.split(' ')
/** In full, or the first three letters. */
const MONTH_WORDS = MONTHS.map((month) => `${month.slice(0, 3)}(?:${month.slice(3)})?`).join('|')
const monthOf = (word: string): number => MONTHS.findIndex((month) => month.startsWith(word.slice(0, 3).toLowerCase())) + 1

/** Return the days since the last such day of the week: none where it is today. */
const sinceWeekday = (weekday: number, today: string): number => (placeInWeek(today, 1) - weekday + 7) % 7

/** Return a day of the present week, which starts on Monday. */
const weekdayOfThisWeek = (weekday: number, today: string): string => dayAfter(today, weekday - placeInWeek(today, 1))

function weekdayInChinese([, week = '', word = '']: RegExpMatchArray, today: string): string | undefined {
  const weekday = /\d/.test(word) ? Number(word) - 1 : WEEKDAYS_IN_CHINESE.indexOf(word.replace('天', '日'))
  const before = week.match(/上/g)?.length ?? 0
  if (before > 0) return dayAfter(weekdayOfThisWeek(weekday, today), -7 * before)
  return week === '' ? dayAfter(today, -sinceWeekday(weekday, today)) : past(weekdayOfThisWeek(weekday, today), today)
}

function weekdayInEnglish([, which = '', word = '']: RegExpMatchArray, today: string): string | undefined {
  const weekday = WEEKDAYS.indexOf(word.slice(0, 3).toLowerCase())
  if (/this/i.test(which)) return past(weekdayOfThisWeek(weekday, today), today)
  const since = sinceWeekday(weekday, today)
  return dayAfter(today, -(since === 0 && /last/i.test(which) ? 7 : since))
}

/** Parts of a day, as they follow the day: `昨天下午`. */
const PARTS: readonly [words: string, times: Times][] = [
  ['凌晨', { from: '00:00', to: '05:59' }],
  ['清晨|早晨|早上|上午|morning', { from: '06:00', to: '11:59' }],
  ['中午', { from: '11:00', to: '13:59' }],
  ['下午|afternoon', { from: '12:00', to: '17:59' }],
  ['傍晚', { from: '17:00', to: '19:59' }],
  ['晚上|夜里|夜裡|evening', { from: '18:00', to: ALL_DAY.to }],
]
const PART = PARTS.map(([words]) => words).join('|')
const partOf = (word: string): Times | undefined => PARTS.find(([words]) => words.split('|').includes(word.toLowerCase()))?.[1]

const PARTS_IN_SHORT: Record<string, string> = { 早: '早上', 晨: '早上', 晚: '晚上', 夜: '晚上' }
/** Return a text with short forms written out: `昨晚` and `last night` are a day and a part of it. */
const inFull = (text: string): string =>
  text
    .replace(/([今昨前])([早晨晚夜])(?:上|里|裡)?/g, (_, day: string, part: string) => `${day}天${PARTS_IN_SHORT[part]!}`)
    .replace(/\blast (?:night|evening)\b/i, 'yesterday evening')
    .replace(/\bthis (?=(?:morning|afternoon|evening)\b)/i, 'today ')
    .replace(/\btonight\b/i, 'today evening')

type Reading = [pattern: RegExp, read: (match: RegExpMatchArray, today: string) => string | undefined]

/** Periods of several days. Days and ends of a week do not match: `上周末`. */
const SPANS: readonly [pattern: RegExp, preset: Preset][] = [
  [anywhere(String.raw`(?<!上)上(?:一?[个個])?(?:周|週|星期|礼拜|禮拜)(?![一二三四五六日天末1-7])|\blast week\b`), 'lastWeek'],
  [anywhere(String.raw`(?:本|[这這](?:一?[个個])?)(?:周|週|星期|礼拜|禮拜)(?![一二三四五六日天末1-7])|\bthis week\b`), 'thisWeek'],
  [anywhere(String.raw`(?<!上)上(?:一?[个個])?月|\blast month\b`), 'lastMonth'],
  [anywhere(String.raw`(?:本|当|當|[这這](?:一?[个個])?)月|\bthis month\b`), 'thisMonth'],
]

/** Return a pattern of a day, and of a part of it that follows directly. */
const dayAndPart = (pattern: string): RegExp => anywhere(String.raw`(?:${pattern})(?:\s*的?\s*(?<part>${PART})(?!\p{Script=Latin}))?`)

/** Patterns of days, the most exact first. */
const DAYS: readonly Reading[] = [
  [
    alone(String.raw`(\d{4})\s*[-/.年]\s*(\d{1,2})\s*[-/.月]\s*(\d{1,2})\s*[日号號]?`),
    ([, year, month, day], today) => past(dateOf(+year!, +month!, +day!), today),
  ],
  [
    dayAndPart(String.raw`(?<!\d)(\d{1,2})\s*月\s*(\d{1,2})(?!\d)\s*[日号號]?`),
    ([, month, day], today) => dayOfYear(+month!, +day!, today),
  ],
  [
    alone(String.raw`(\d{1,2})[-/](\d{1,2})`),
    ([, one, other], today) => (+one! > 12 ? dayOfYear(+other!, +one!, today) : dayOfYear(+one!, +other!, today)),
  ],
  [alone(String.raw`(\d{1,2})(?:st|nd|rd|th)?\s+(${MONTH_WORDS})`), ([, day, word], today) => dayOfYear(monthOf(word!), +day!, today)],
  [alone(String.raw`(${MONTH_WORDS})\s+(\d{1,2})(?:st|nd|rd|th)?`), ([, word, day], today) => dayOfYear(monthOf(word!), +day!, today)],
  [
    anywhere(String.raw`(?<!上)上(?:一?[个個])?月\s*(\d{1,2})(?!\d)\s*[日号號]?`),
    ([, day], today) => {
      const [year = 0, month = 0] = monthAfter(monthOfDay(today), -1).split('-').map(Number)
      return dateOf(year, month, +day!)
    },
  ],
  [dayAndPart('大前[天日]'), (_, today) => dayAfter(today, -3)],
  [dayAndPart(String.raw`前[天日]|\bday before yesterday\b`), (_, today) => dayAfter(today, -2)],
  [dayAndPart(String.raw`昨[天日]|\byesterday\b`), (_, today) => dayAfter(today, -1)],
  [dayAndPart(String.raw`今[天日]|\btoday\b`), (_, today) => today],
  // The next one is in the future, and so does not match.
  [
    dayAndPart('(?<!下|下一?[个個])(上上[个個]?|上一?[个個]?|[这這]一?[个個]?|本)?(?:周|週|星期|礼拜|禮拜)([一二三四五六日天1-7])'),
    weekdayInChinese,
  ],
  [
    alone(
      String.raw`(?<!next\s+)(last\s+|this\s+|on\s+)?(mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?` +
        String.raw`|sat(?:urday)?|sun(?:day)?)(?:\s+(?<part>${PART}))?`,
    ),
    weekdayInEnglish,
  ],
  // `1号门` is a door.
  [dayAndPart(String.raw`(?<![\d月])(\d{1,2})\s*[日号號](?!(?!${PART})\p{Script=Han})`), ([, date], today) => dayOfMonth(+date!, today)],
]

const NOON = '(凌晨|清晨|早晨|早上|早|上午|中午|下午|傍晚|晚上|晚|午夜|半夜|深夜|夜里|夜裡)?'
/** Patterns of times of day. */
const CLOCKS: readonly RegExp[] = [
  anywhere(String.raw`${NOON}\s*(?<![\p{Script=Latin}\d:：])(\d{1,2})\s*[:：]\s*(\d{2})(?![\d:：])()\s*(am|pm)?(?!\p{Script=Latin})`),
  anywhere(String.raw`${NOON}\s*(?<!\d)(\d{1,2})\s*[点點时時](?:(半)|(\d{1,2})\s*分?)?()`),
  alone(String.raw`()(\d{1,2})()()\s*(am|pm)`),
  anywhere(String.raw`(午夜)`),
]

const DAY = 24 * 60

/** Return the hour on the 24-hour clock for an hour within a part of the day; a night extends to 4 in the morning of the next day. */
function hourOf(spoken: number, noon: string, half: string): number {
  if (half === 'am') return spoken === 12 ? 0 : spoken
  if (half === 'pm' || /下午|傍晚/.test(noon)) return spoken < 12 ? spoken + 12 : spoken
  if (noon === '凌晨') return spoken === 12 ? 0 : spoken
  if (noon === '中午') return spoken < 4 ? spoken + 12 : spoken
  if (!/晚|夜/.test(noon)) return spoken
  if (spoken === 12) return 24
  return spoken < 5 ? spoken + 24 : spoken < 12 ? spoken + 12 : spoken
}

/** Return the minutes since midnight, beyond 24 hours for the night after the day; undefined where no clock shows such a time. */
function minutesOf([, noon = '', hour = '12', minute = '', more = '', half = '']: RegExpMatchArray): number | undefined {
  const minutes = minute === '半' ? 30 : Number(minute || more || 0)
  const spoken = Number(hour)
  if (minutes >= 60 || spoken > 24 || (spoken === 24 && minutes > 0)) return undefined
  return hourOf(spoken, noon, half.toLowerCase()) * 60 + minutes
}

const LAST_MINUTE = DAY - 1
const clock = (minutes: number): string => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
/** Return the hour from a time on, up to the end of the day. */
const hourFrom = (minutes: number): Times => ({ from: clock(minutes), to: clock(Math.min(minutes + 59, LAST_MINUTE)) })

/**
 * Return the time that a text contains, and the rest of the text.
 * @returns `spokenTime` undefined where the text contains no time, or none that is past
 */
export function typedTimeIn(text: string, { day: today, time, weekStart }: Now): { spokenTime: TypedTime | undefined; rest: string } {
  let rest = inFull(text)
  /** Remove what a pattern matches from the text, where it can be read. Return what was read. */
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
  let part: Times | undefined
  const date = first(
    DAYS.map(
      ([pattern, read]) =>
        () =>
          take(pattern, (match) => {
            const value = read(match, today)
            if (value !== undefined) part = partOf(match.groups?.part ?? '')
            return value
          }),
    ),
  )
  const days =
    date === undefined
      ? first(
          SPANS.map(
            ([pattern, preset]) =>
              () =>
                take(pattern, () => daysOfPreset(preset, today, weekStart)),
          ),
        )
      : { from: date, to: date }
  const none = { spokenTime: undefined, rest: text.replace(/\s+/g, ' ').trim() }
  rest = rest.replace(/\s+/g, ' ').trim()
  if (days === undefined && minutes === undefined) return none
  // An hour on each of several days is not one period: the whole days are shown.
  if (days !== undefined && days.from !== days.to) return { spokenTime: { days, times: ALL_DAY }, rest }
  const times = minutes === undefined ? (part ?? ALL_DAY) : hourFrom(minutes % DAY)
  const on = days === undefined ? (times.from <= time ? today : dayAfter(today, -1)) : dayAfter(days.from, Math.floor((minutes ?? 0) / DAY))
  return `${on} ${times.from}` > `${today} ${time}` ? none : { spokenTime: { days: { from: on, to: on }, times }, rest }
}
