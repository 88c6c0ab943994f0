import { z } from 'zod'
import type { Transaction } from '../../platform/database/database.ts'
import { defineEvent, type Events } from '../../platform/events/events.ts'
import type { Scope } from '../../platform/session/session.ts'

/** Captures got a template, or were deleted; null: all of the park were deleted. */
export const captureTemplatesChanged = defineEvent(
  'surveillance.captureTemplatesChanged',
  z.object({ captureIds: z.array(z.string()).nullable() }),
)

/** Ids in one event, so that it stays below the size of events. */
const IDS_AT_ONCE = 40

/** Announce that captures got a template or were deleted. @param captureIds null: all of the park were deleted */
export async function announceTemplates(
  events: Pick<Events, 'announceAll'>,
  tx: Transaction,
  scope: Scope,
  captureIds: readonly string[] | null,
): Promise<void> {
  const parts: (string[] | null)[] = captureIds === null ? [null] : []
  for (let start = 0; start < (captureIds?.length ?? 0); start += IDS_AT_ONCE) parts.push(captureIds!.slice(start, start + IDS_AT_ONCE))
  if (parts.length === 0) return
  await events.announceAll(
    tx,
    captureTemplatesChanged,
    scope.parkId,
    parts.map((ids) => ({ captureIds: ids })),
  )
}
