import { z } from 'zod'
import type { Transaction } from '../../platform/database/database.ts'
import { defineEvent, type Events } from '../../platform/events/events.ts'
import type { Scope } from '../../platform/session/session.ts'
import { DAY_MS } from './search-data.ts'

/** Captures got a template, or were deleted; of all days where `days` is null, of all captures of those days where `captureIds` is. */
export const captureTemplatesChanged = defineEvent(
  'surveillance.captureTemplatesChanged',
  z.object({ captureIds: z.array(z.string()).nullable(), days: z.array(z.int()).nullable().default(null) }),
)

/** What happened to captures whose templates are searched. */
export interface TemplateChange {
  /** Null: all of the days. */
  captureIds: readonly string[] | null
  /** Days since 1970 (UTC); null: all of the park. */
  days: readonly number[] | null
}

/** A capture, and when it was made. */
interface DatedCapture {
  id: string
  capturedAt: number
}

/** Ids and days in one event, so that it stays below the size of events. */
const IDS_AT_ONCE = 40
const DAYS_AT_ONCE = 200

const daysOf = (captures: readonly DatedCapture[]): number[] => [
  ...new Set(captures.map(({ capturedAt }) => Math.floor(capturedAt / DAY_MS))),
]

/** Announce that captures got a template or were deleted, one by one. */
export async function announceTemplates(
  events: Pick<Events, 'announceAll'>,
  tx: Transaction,
  scope: Scope,
  captures: readonly DatedCapture[],
): Promise<void> {
  const parts: { captureIds: string[]; days: number[] }[] = []
  for (let start = 0; start < captures.length; start += IDS_AT_ONCE) {
    const part = captures.slice(start, start + IDS_AT_ONCE)
    parts.push({ captureIds: part.map(({ id }) => id), days: daysOf(part) })
  }
  if (parts.length > 0) await events.announceAll(tx, captureTemplatesChanged, scope.parkId, parts)
}

/** Announce that so many captures were deleted that memory forgets their days as a whole. @param captures null: all of the park */
export async function announceDays(
  events: Pick<Events, 'announceAll'>,
  tx: Transaction,
  scope: Scope,
  captures: readonly DatedCapture[] | null,
): Promise<void> {
  const parts: { captureIds: null; days: number[] | null }[] = captures === null ? [{ captureIds: null, days: null }] : []
  const days = daysOf(captures ?? [])
  for (let start = 0; start < days.length; start += DAYS_AT_ONCE)
    parts.push({ captureIds: null, days: days.slice(start, start + DAYS_AT_ONCE) })
  if (parts.length > 0) await events.announceAll(tx, captureTemplatesChanged, scope.parkId, parts)
}
