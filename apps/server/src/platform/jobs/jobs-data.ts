/** Rows of scheduled jobs. They belong to the installation, so no function here has a scope. */
import { sql, timestamp, type Database } from '../database/database.ts'

export interface Planned {
  name: string
  schedule: string
  /** First slot after now. */
  next: number
}

/** Make the table list exactly these jobs. A missed slot stays due; a slot beyond the next one was set by a wrong clock and is replaced. */
export async function planJobsUnscoped(db: Database, jobs: readonly Planned[]): Promise<void> {
  const names = jobs.map(({ name }) => name)
  await sql`DELETE FROM scheduled_job WHERE name <> ALL(${names}::text[])`.execute(db)
  await sql`INSERT INTO scheduled_job (name, schedule, due_at)
    SELECT * FROM unnest(${names}::text[], ${jobs.map(({ schedule }) => schedule)}::text[],
      ${jobs.map(({ next }) => new Date(next))}::timestamptz[])
    ON CONFLICT (name) DO UPDATE SET schedule = excluded.schedule,
      due_at = CASE WHEN scheduled_job.schedule = excluded.schedule THEN least(scheduled_job.due_at, excluded.due_at)
        ELSE excluded.due_at END`.execute(db)
}

/** Make interrupted runs due again, except those of these names and those that were tried often enough. */
export async function retryCutOffUnscoped(db: Database, except: readonly string[], triesMax: number, retryAt: number): Promise<void> {
  await sql`UPDATE scheduled_job SET due_at = least(due_at, ${timestamp(retryAt)})
    WHERE started_at > coalesce(ended_at, '-infinity') AND tries < ${triesMax} AND name <> ALL(${except}::text[])`.execute(db)
}

/** Return the jobs that are due, the longest overdue first. */
export function listDueUnscoped(db: Database, now: number): Promise<{ name: string; dueAt: number }[]> {
  return db
    .selectFrom('scheduledJob')
    .select(['name', 'dueAt'])
    .where('dueAt', '<=', timestamp(now))
    .orderBy('dueAt')
    .orderBy('name')
    .execute() as Promise<{ name: string; dueAt: number }[]>
}

/** Take a slot. Return false if another node took it. */
export async function takeSlotUnscoped(
  db: Database,
  { name, dueAt }: { name: string; dueAt: number },
  next: number,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('scheduledJob')
    .set({ dueAt: timestamp(next), startedAt: timestamp(now), tries: sql<number>`tries + 1` })
    .where('name', '=', name)
    .where('dueAt', '=', timestamp(dueAt))
    .executeTakeFirst()
  return Number(numUpdatedRows) > 0
}

/**
 * Store the result of a run, unless another run of the job has started. @param retry when a run that threw is tried again, and how often
 * at most
 */
export async function endRunUnscoped(
  db: Database,
  name: string,
  startedAt: number,
  output: object,
  now: number,
  retry?: { at: number; triesMax: number },
): Promise<void> {
  const again = retry === undefined ? sql<boolean>`false` : sql<boolean>`tries < ${retry.triesMax}`
  await db
    .updateTable('scheduledJob')
    .set({
      output: JSON.stringify(output),
      // Never before the start, even if the clock was set back: the run would look interrupted.
      endedAt: timestamp(Math.max(now, startedAt)),
      tries: sql<number>`CASE WHEN ${again} THEN tries ELSE 0 END`,
      dueAt: sql<number>`CASE WHEN ${again} THEN least(due_at, ${timestamp(retry?.at ?? now)}) ELSE due_at END`,
    })
    .where('name', '=', name)
    .where('startedAt', '=', timestamp(startedAt))
    .execute()
}
