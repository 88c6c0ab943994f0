/**
 * Wrong passwords and wrong codes of a second factor, counted together for each name and origin. Six failures lock that origin only, so
 * that nobody locks a user out elsewhere. A try is counted before its password is compared and taken back when it succeeds: of any number
 * of simultaneous tries, no more than six are compared.
 */
import { LOCK_AFTER, LOCK_FOR } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import { sql, timestamp } from '../../platform/database/database.ts'

/** How long failures that have not led to a lock are counted. */
const WINDOW_MS = 24 * 60 * 60_000

/** Origin of tries: a network address, a known browser, or one of the account's own sessions. */
export type Origin = { kind: 'address'; network: string } | { kind: 'device'; device: string } | { kind: 'session'; session: string }

/** Name and origin under which tries are counted together. */
export interface Line {
  /** Name as it was typed, whether or not an account has it. */
  name: string
  userId: string | null
  from: Origin
}

const textOf = (from: Origin): string => {
  if (from.kind === 'session') return `session ${from.session}`
  return from.kind === 'address' ? `address ${from.network}` : `device ${from.device}`
}

export interface Counted {
  /** Failures of this name and origin. */
  count: number
  /** Failures of this name, from all origins together. */
  everywhere: number
  /** End of the lock of this name and origin; null: not locked. */
  lockedUntil: number | null
}

export interface LoginFailures {
  read(line: Line): Promise<Counted>
  /**
   * Count a try as failed.
   * @param fewerThan counts the try only while the line has fewer failures: a try that is refused anyway must not seem to lock the account
   * for a moment
   * @returns the counts with this try; a try whose `count` is above the limit must not be compared; null where the try was not counted
   */
  add(line: Line, fewerThan?: number): Promise<Counted | null>
  /** Take back one try that was not wrong, and keep the other failures: the proof is not complete yet. */
  takeBack(line: Line): Promise<void>
  /** Delete the failures of a line: the proof is complete. */
  clear(line: Line): Promise<void>
  dropEnded(): Promise<number>
}

export function createLoginFailures({ db, clock, crypto }: Pick<Platform, 'db' | 'clock' | 'crypto'>): LoginFailures {
  const nameOf = ({ name }: Line): Buffer => crypto.blindIndex(`login name ${name.toLowerCase()}`)
  // As JSON, so that the end of the name is unambiguous.
  const subjectOf = ({ name, from }: Line): Buffer =>
    crypto.blindIndex(`login failures ${JSON.stringify([name.toLowerCase(), textOf(from)])}`)

  async function read(line: Line): Promise<Counted> {
    const subject = subjectOf(line)
    const own = sql<boolean>`subject = ${subject}`
    const row = await db
      .selectFrom('loginFailure')
      .select([
        sql<number>`coalesce(sum(count), 0)::int`.as('everywhere'),
        sql<number>`coalesce(max(count) FILTER (WHERE ${own}), 0)`.as('count'),
        sql<number | null>`max(until) FILTER (WHERE ${own} AND count >= ${LOCK_AFTER})`.as('lockedUntil'),
      ])
      .where('name', '=', nameOf(line))
      .where('until', '>', timestamp(clock.now()))
      .executeTakeFirstOrThrow()
    return { ...row, lockedUntil: row.lockedUntil === null ? null : Number(row.lockedUntil) }
  }

  return {
    read,
    async add(line, fewerThan) {
      const now = clock.now()
      const [from, locked] = [timestamp(now), timestamp(now + LOCK_FOR * 60_000)]
      const row = { subject: subjectOf(line), name: nameOf(line), userId: line.userId, count: 1, until: timestamp(now + WINDOW_MS) }
      const isCounted =
        fewerThan === undefined ? sql<boolean>`true` : sql<boolean>`login_failure.until <= ${from} OR login_failure.count < ${fewerThan}`
      const counted = await db
        .insertInto('loginFailure')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .column('subject')
            .doUpdateSet({
              userId: row.userId,
              count: sql<number>`CASE WHEN login_failure.until <= ${from} THEN 1 ELSE login_failure.count + 1 END`,
              until: sql<number>`CASE WHEN login_failure.until <= ${from} THEN ${row.until}
              WHEN login_failure.count + 1 = ${LOCK_AFTER} THEN ${locked} ELSE login_failure.until END`,
            })
            .where(isCounted),
        )
        .returning(['count', 'until'])
        .executeTakeFirst()
      if (counted === undefined) return null
      const { count, until } = counted
      // Read afterwards, so that simultaneous tries are included. There are never fewer than those of this line.
      const everywhere = Math.max((await read(line)).everywhere, count)
      return { count, everywhere, lockedUntil: count >= LOCK_AFTER ? Number(until) : null }
    },
    async takeBack(line) {
      await db
        .updateTable('loginFailure')
        .set((eb) => ({ count: eb('count', '-', 1) }))
        .where('subject', '=', subjectOf(line))
        .where('count', '>', 0)
        .execute()
    },
    async clear(line) {
      await db.deleteFrom('loginFailure').where('subject', '=', subjectOf(line)).execute()
    },
    async dropEnded() {
      const dropped = await db.deleteFrom('loginFailure').where('until', '<', timestamp(clock.now())).executeTakeFirst()
      return Number(dropped.numDeletedRows)
    },
  }
}
