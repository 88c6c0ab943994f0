/**
 * Wrong passwords and wrong codes of a second factor, counted together for each name and where its tries come from. Six lock that
 * one line, so that nobody locks a user out elsewhere. A try is counted before its password is compared and taken back when it is
 * right: any number of tries at once compares no more than six.
 */
import { LOCK_AFTER, LOCK_FOR } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import { sql, timestamp, type Database } from '../../platform/database/database.ts'
import type { IdentityTables } from './schema.ts'

/** How long failures that lock nothing are counted. */
const WINDOW_MS = 24 * 60 * 60_000

/** Where tries come from: a network address, a known browser, or one of the account's own sessions. */
export type Origin = { kind: 'address'; network: string } | { kind: 'device'; device: string } | { kind: 'session'; session: string }

/** Whose tries, and where they come from. */
export interface Line {
  /** The name that was typed, whether or not somebody has it. */
  name: string
  userId: string | null
  from: Origin
}

const textOf = (from: Origin): string => {
  if (from.kind === 'session') return `session ${from.session}`
  return from.kind === 'address' ? `address ${from.network}` : `device ${from.device}`
}

export interface Counted {
  /** In this line. */
  count: number
  /** Of this name, wherever they come from. */
  everywhere: number
  /** When the lock of this line ends; null: it is open. */
  lockedUntil: number | null
}

export interface LoginFailures {
  read(line: Line): Promise<Counted>
  /**
   * Count a try as failed.
   * @param fewerThan counts it only while fewer failed in the line: what is refused anyway is not counted for a moment, as if it had locked it
   * @returns what there is with it; a `count` above the limit was not to be compared; null where it was not counted
   */
  add(line: Line, fewerThan?: number): Promise<Counted | null>
  /** Take one back that turned out not to be wrong, and leave the others: not all that is asked for was proven. */
  takeBack(line: Line): Promise<void>
  /** Forget what was counted in a line: all that was asked for was right. */
  clear(line: Line): Promise<void>
  dropEnded(): Promise<number>
}

export function createLoginFailures({ db: untyped, clock, crypto }: Pick<Platform, 'db' | 'clock' | 'crypto'>): LoginFailures {
  const db = untyped as unknown as Database<IdentityTables>
  const nameOf = ({ name }: Line): Buffer => crypto.blindIndex(`login name ${name.toLowerCase()}`)
  // As JSON, so that no name runs into what follows it.
  const subjectOf = ({ name, from }: Line): Buffer =>
    crypto.blindIndex(`login failures ${JSON.stringify([name.toLowerCase(), textOf(from)])}`)

  async function read(line: Line): Promise<Counted> {
    const subject = subjectOf(line)
    const own = sql<boolean>`subject = ${subject}`
    const row = await db
      .selectFrom('login_failure')
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
      const row = { subject: subjectOf(line), name: nameOf(line), user_id: line.userId, count: 1, until: timestamp(now + WINDOW_MS) }
      const isCounted =
        fewerThan === undefined ? sql<boolean>`true` : sql<boolean>`login_failure.until <= ${from} OR login_failure.count < ${fewerThan}`
      const counted = await db
        .insertInto('login_failure')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .column('subject')
            .doUpdateSet({
              user_id: row.user_id,
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
      // Read afterwards: tries that were counted at the same time are among them, and no fewer than those of this line were.
      const everywhere = Math.max((await read(line)).everywhere, count)
      return { count, everywhere, lockedUntil: count >= LOCK_AFTER ? Number(until) : null }
    },
    async takeBack(line) {
      await db
        .updateTable('login_failure')
        .set((eb) => ({ count: eb('count', '-', 1) }))
        .where('subject', '=', subjectOf(line))
        .where('count', '>', 0)
        .execute()
    },
    async clear(line) {
      await db.deleteFrom('login_failure').where('subject', '=', subjectOf(line)).execute()
    },
    async dropEnded() {
      const dropped = await db.deleteFrom('login_failure').where('until', '<', timestamp(clock.now())).executeTakeFirst()
      return Number(dropped.numDeletedRows)
    },
  }
}
