/** A visit as a file for calendars (RFC 5545). */
import type { Appointment } from '@gatehouse/contract/visitors/appointments'

const moment = (instant: number): string =>
  new Date(instant)
    .toISOString()
    .replaceAll(/[-:]/g, '')
    .replace(/\.\d{3}/, '')
const escaped = (text: string): string => text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)

/** Return the text of the file. @param title of the entry @param now time at which it is made */
export const calendarFile = ({ visitTime, visitEndTime, address }: Appointment, title: string, now: number): string =>
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
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')
