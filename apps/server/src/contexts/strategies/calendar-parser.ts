/** Calendar files (iCalendar): the days they name. */
import { CalendarUnreadable, readCalendar, type CalendarDays } from '@gatehouse/access-rules/calendar'
import { Unreadable, type Steps } from '../../platform/documents/parser.ts'
import type { ReadableFile } from '../../platform/http/received-file.ts'

interface CalendarOptions {
  /** IANA zone of whoever reads it. */
  zone: string
  /** `YYYY-MM-DD`, the first day that matters. */
  from: string
}

async function textOf(file: ReadableFile): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.read(0, file.size))
  } catch (error) {
    throw new Unreadable('calendarUnreadable', undefined, error)
  }
}

export async function* parse(file: ReadableFile, { zone, from }: CalendarOptions, steps: Steps): AsyncGenerator<CalendarDays> {
  const text = await textOf(file)
  try {
    yield readCalendar(text, { zone, from, budget: steps })
  } catch (error) {
    throw error instanceof CalendarUnreadable ? new Unreadable(error.rule, undefined, error) : error
  }
}
