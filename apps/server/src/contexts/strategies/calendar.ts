/** Calendar files, for the other days of time rules. */
import { localDate } from '@gatehouse/access-rules'
import { CALENDAR_STEPS } from '@gatehouse/access-rules/calendar-budget'
import type { DataOf } from '@gatehouse/contract'
import type { timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import type { Platform, Upload } from '../../platform/context.ts'
import { defineParser } from '../../platform/documents/parser.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { parse } from './calendar-parser.ts'
import type { StrategyDependencies } from './dependencies.ts'

/** What came with the call: a file, or the text of one. */
export interface SentCalendar {
  file: Upload | null
  text: string | undefined
}

/**
 * The days a calendar names from the park's own today on, by the park's clocks.
 * @throws InvalidRequest for what cannot be read, on the field it came in
 */
export type ReadCalendar = (scope: Scope, sent: SentCalendar) => Promise<DataOf<typeof timeRuleCalls.readCalendar>>

const calendarParser = defineParser<typeof parse>('calendar', new URL('./calendar-parser.ts', import.meta.url), {
  workMs: 15_000,
  steps: CALENDAR_STEPS,
  tooMuch: 'calendarTooMuch',
})

export function createReadCalendar(
  { clock, parsing }: Pick<Platform, 'clock' | 'parsing'>,
  { organisation }: Pick<StrategyDependencies, 'organisation'>,
): ReadCalendar {
  return async (scope, { file, text }) => {
    if (file === null && text === undefined) throw new InvalidRequest([{ path: 'file', rule: 'required' }])
    const { zone } = organisation.park(scope)
    const options = { zone, from: localDate(clock.now(), zone) }
    return parsing.whole(scope, calendarParser, file ?? { bytes: Buffer.from(text!) }, options, file === null ? 'text' : 'file')
  }
}
