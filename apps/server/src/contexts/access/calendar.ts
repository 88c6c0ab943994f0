/** Calendar files, for the other days of time rules. */
import { CalendarUnreadable, readCalendar } from '@gatehouse/access-rules/calendar'
import { localDate } from '@gatehouse/access-rules'
import type { DataOf } from '@gatehouse/contract'
import type { accessCalls } from '@gatehouse/contract/access/calls'
import type { Platform, Upload } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/refusal.ts'
import type { Scope } from '../../platform/session.ts'
import type { AccessDependencies } from './dependencies.ts'

/** What came with the call: a file, or the text of one. */
export interface SentCalendar {
  file: Upload | null
  text: string | undefined
}

/** The days a calendar names from the park's own today on, by the park's clocks. @throws InvalidRequest for what cannot be read, on the field it came in */
export type ReadCalendar = (scope: Scope, sent: SentCalendar) => DataOf<typeof accessCalls.readCalendar>

/** @throws InvalidRequest for bytes that are no text */
function textOf({ file, text }: SentCalendar): { path: 'file' | 'text'; content: string } {
  if (file === null) {
    if (text === undefined) throw new InvalidRequest([{ path: 'file', rule: 'required' }])
    return { path: 'text', content: text }
  }
  try {
    return { path: 'file', content: new TextDecoder('utf-8', { fatal: true }).decode(file.bytes) }
  } catch {
    throw new InvalidRequest([{ path: 'file', rule: 'calendarUnreadable' }])
  }
}

export function createReadCalendar(
  { clock }: Pick<Platform, 'clock'>,
  { organisation }: Pick<AccessDependencies, 'organisation'>,
): ReadCalendar {
  return (scope, sent) => {
    const { path, content } = textOf(sent)
    const { zone } = organisation.park(scope)
    try {
      return readCalendar(content, { zone, from: localDate(clock.now(), zone) })
    } catch (error) {
      if (error instanceof CalendarUnreadable) throw new InvalidRequest([{ path, rule: error.rule }])
      throw error
    }
  }
}
