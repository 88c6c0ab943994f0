/** Numbers of a spreadsheet as the text a person saw: a day is a number with the format of a day. */
import type { Steps } from './parser.ts'

export type Shown = 'number' | 'day' | 'moment' | 'time'

const DAY = 86_400_000
/** Days from Excel's day 0 to 1970, in the ordinary calendar and in the one that starts in 1904. */
const EPOCH_DAY = { 1900: 25_569, 1904: 24_107 } as const
/** Excel treats 1900 as a leap year: its dates before this day are one off. */
const FIRST_TRUE_DAY = 61
/** Most characters of a format that are parsed; no program allows more. */
const FORMAT_CHARACTERS = 255

export type Epoch = keyof typeof EPOCH_DAY

/** Return how a number with a built-in format is shown. */
export const shownByNumber = (id: number): Shown =>
  id === 22
    ? 'moment'
    : (id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)
      ? 'day'
      : (id >= 18 && id <= 21) || (id >= 32 && id <= 35) || (id >= 45 && id <= 47)
        ? 'time'
        : 'number'

/** Return the letters of a format's first section in lower case: without quoted, bracketed and escaped characters, and fills. */
function lettersOf(code: string): string {
  let letters = ''
  // Positions of the next closing quote and bracket: each is searched for once, and an opening one that is never closed is an ordinary
  // character.
  const closing = new Map<string, number>()
  const closeOf = (mark: string, from: number): number => {
    const before = closing.get(mark) ?? 0
    if (before < 0 || before >= from) return before
    const close = code.indexOf(mark, from)
    closing.set(mark, close)
    return close
  }
  for (let at = 0; at < code.length && code[at] !== ';'; at++) {
    const character = code[at]!
    // An escaped character, a fill or a space.
    if ('\\_*'.includes(character) && at + 1 < code.length) {
      at++
      continue
    }
    const close = character === '"' ? closeOf('"', at + 1) : character === '[' ? closeOf(']', at + 1) : -1
    const text = code.slice(at, Math.max(at, close) + 1)
    // Elapsed hours, minutes or seconds are in brackets, and count as letters.
    if (close < 0 || /^\[[hms]+\]$/i.test(text)) letters += text
    at += text.length - 1
  }
  return letters.toLowerCase()
}

/** Return how a number of this format is shown. */
export function shownBy(format: string, steps: Steps): Shown {
  const code = format.slice(0, FORMAT_CHARACTERS)
  steps.spend(code.length)
  const letters = lettersOf(code)
  const [day, time] = [/[yde]/.test(letters) && !/e[+-]/.test(letters), /[hs]/.test(letters)]
  return day && time ? 'moment' : day ? 'day' : time ? 'time' : /^m+$/.test(letters) ? 'day' : 'number'
}

const two = (number: number): string => String(number).padStart(2, '0')

/** Return a number of a sheet as the text a person saw: `1001`, `2026-03-31`, `2026-03-31 08:30`. */
export function textOfNumber(raw: string, shown: Shown, epoch: Epoch): string {
  const number = Number(raw)
  if (raw.trim() === '' || !Number.isFinite(number)) return raw
  if (shown !== 'number' && number >= 0 && number < 2_958_466) {
    const off = epoch === 1900 && number < FIRST_TRUE_DAY ? 1 : 0
    const moment = new Date(Math.round((number + off - EPOCH_DAY[epoch]) * 86_400) * 1000)
    const [day, time] = [moment.toISOString().slice(0, 10), `${two(moment.getUTCHours())}:${two(moment.getUTCMinutes())}`]
    const seconds = moment.getUTCSeconds()
    const clock = seconds === 0 ? time : `${time}:${two(seconds)}`
    if (number < 1 && shown !== 'day') return clock
    return shown === 'day' || moment.getTime() % DAY === 0 ? day : `${day} ${clock}`
  }
  if (Number.isInteger(number)) return BigInt(number).toString()
  // Programs show fifteen digits; the sixteenth is a rounding artefact.
  return String(Number(number.toPrecision(15)))
}
