/** A visit as a file for calendars (RFC 5545). */

/** What an entry says of a visit; times in epoch milliseconds. */
export interface CalendarVisit {
  visitTime: number
  visitEndTime: number
  /** Empty: not said. */
  address: string
}

/** Bytes of a line, at most. */
const LINE_MAX = 75

const moment = (instant: number): string =>
  new Date(instant)
    .toISOString()
    .replaceAll(/[-:]/g, '')
    .replace(/\.\d{3}/, '')
const escaped = (text: string): string => text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r?\n/g, String.raw`\n`)
const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/** Fold a line between characters, never within one. */
function folded(line: string): string {
  const lines = ['']
  for (const character of line) {
    // A line that continues another begins with a space.
    if (bytesOf(lines.at(-1)! + character) > LINE_MAX) lines.push(' ')
    lines[lines.length - 1] += character
  }
  return lines.join('\r\n')
}

/**
 * Return the text of the file.
 * @param title of the entry
 * @param now time at which it is made
 * @param url of the page with the state of the visit
 */
export const calendarFile = ({ visitTime, visitEndTime, address }: CalendarVisit, title: string, now: number, url?: string): string =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Gatehouse//Visit//EN',
    'BEGIN:VEVENT',
    `UID:${visitTime}-${visitEndTime}@gatehouse`,
    `DTSTAMP:${moment(now)}`,
    `DTSTART:${moment(visitTime)}`,
    `DTEND:${moment(visitEndTime)}`,
    `SUMMARY:${escaped(title)}`,
    ...(address === '' ? [] : [`LOCATION:${escaped(address)}`]),
    ...(url === undefined ? [] : [`URL:${url}`]),
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ]
    .map((line) => folded(line))
    .join('\r\n')
