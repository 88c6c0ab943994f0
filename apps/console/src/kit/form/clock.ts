/** Times of day as people type them. */
import { minuteOfClockText } from '@gatehouse/access-rules/local-time'

/** Return typed text as a time: `8`, `830`, `8.30`, `8：30` and `24` each mean one. Any other text is returned as typed. */
export function clockText(typed: string): string {
  const match = /^\s*(\d{1,2})(?:\s*[:.：时時]\s*|(?=\d\d\s*$))?(\d{2})?\s*$/.exec(typed)
  if (!match) return typed.trim()
  const text = `${match[1]?.padStart(2, '0')}:${match[2] ?? '00'}`
  return Number.isNaN(minuteOfClockText(text)) ? typed.trim() : text
}
