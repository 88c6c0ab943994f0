/** Codes that are sent to a telephone or an address and typed in again: six digits, ten minutes, so many a day. */
import { randomBytes, randomInt } from 'node:crypto'
import { CODES_PER_DAY } from '@gatehouse/contract'
import { networkOf } from '../../platform/http/address-limit.ts'
import type { Platform } from '../../platform/context.ts'
import { timestamp, type Database } from '../../platform/database/database.ts'
import { refuse } from '../../platform/http/refusal.ts'
import type { Attempts } from './login-attempts.ts'
import type { IdentityTables } from './schema.ts'

export const CODE_MINUTES = 10
/** Requests and checks from one address in a day, whomever they are about. */
const ADDRESS_PER_DAY = 200
/** Requests and checks in a day about one account, wherever they come from: a million codes against so few guesses, and so few messages. */
const EVERYWHERE_PER_DAY = 100
/** A code this recent is not replaced by another. */
const RECENT_MS = 60_000

/** What a code is for, and on whose account it is counted. */
export interface CodeSubject {
  /** What it was sent to: another one there replaces it. */
  subject: string
  /** Whose requests and checks of today these are; `CODES_PER_DAY` of them. */
  counted: string
  /** What they are counted by besides, within a far higher bound: strangers elsewhere cannot use up what `counted` allows. */
  everywhere?: string
  /** Where they come from. */
  ip: string
}

export interface Codes {
  /** A new code. @throws Refusal 100113 when too many were asked for today */
  make(about: CodeSubject): Promise<string>
  /** Like `make`, unless one was made within the last minute that was not used yet: null, and that one holds on. */
  makeUnlessRecent(about: CodeSubject, userId: string | null): Promise<string | null>
  /** Uses a code up. @throws Refusal 100114 when too many were tried today, 100115 for a wrong or old one */
  check(about: CodeSubject, code: string): Promise<void>
  /** Exchanges a code for a ticket that holds as long again. @throws like `check` */
  exchange(about: CodeSubject, code: string): Promise<string>
  /** The user a ticket stands for; null where there is none. */
  holderOf(ticket: string): Promise<string | null>
  /** Use a ticket up, and end every other ticket and code of its user. @returns whether it held */
  dropTicket(db: Database<IdentityTables>, ticket: string): Promise<boolean>
  dropExpired(): Promise<number>
}

/** When the day of the installation's zone ends. */
const endOfDay = (now: number): number => {
  const here = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(Temporal.Now.timeZoneId())
  return here.startOfDay().add({ days: 1 }).epochMilliseconds
}

export function createCodes({ db: untyped, clock, crypto }: Pick<Platform, 'db' | 'clock' | 'crypto'>, attempts: Attempts): Codes {
  const db = untyped as unknown as Database<IdentityTables>
  const subjectOf = ({ subject }: CodeSubject): Buffer => crypto.blindIndex(`code for ${subject}`)
  const codeHash = ({ subject }: CodeSubject, code: string): Buffer => crypto.blindIndex(`code ${code} for ${subject}`)
  const ticketHash = (ticket: string): Buffer => crypto.blindIndex(`ticket ${ticket}`)
  const end = (): Date => timestamp(clock.now() + CODE_MINUTES * 60_000)

  /** Counts one more of today. What is refused by one bound does not count towards the next. */
  async function demandRoom(kind: 'request' | 'check', { counted, everywhere, ip }: CodeSubject): Promise<void> {
    const until = endOfDay(clock.now())
    const bounds: [subject: string, most: number][] = [
      [`from ${networkOf(ip)}`, ADDRESS_PER_DAY],
      [counted, CODES_PER_DAY],
      ...(everywhere === undefined ? [] : [[`everywhere ${everywhere}`, EVERYWHERE_PER_DAY] satisfies [string, number]]),
    ]
    for (const [subject, most] of bounds)
      if ((await attempts.add(db, `code ${kind} ${subject}`, until)) > most) refuse(kind === 'request' ? 100113 : 100114)
  }

  /** Stores a new code. @returns null where one stands that was made since `recentFrom` */
  async function store(about: CodeSubject, userId: string | null, recentFrom: number): Promise<string | null> {
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const row = { user_id: userId, code_hash: codeHash(about, code), ticket_hash: null, expires_at: end() }
    const stored = await db
      .insertInto('verification_code')
      .values({ subject: subjectOf(about), ...row })
      .onConflict((conflict) =>
        conflict
          .column('subject')
          .doUpdateSet(row)
          .where('verification_code.expires_at', '<=', timestamp(recentFrom + CODE_MINUTES * 60_000)),
      )
      .returning('subject')
      .executeTakeFirst()
    return stored === undefined ? null : code
  }

  return {
    async make(about) {
      await demandRoom('request', about)
      return (await store(about, null, clock.now()))!
    },
    async makeUnlessRecent(about, userId) {
      await demandRoom('request', about)
      return store(about, userId, clock.now() - RECENT_MS)
    },
    async check(about, code) {
      await demandRoom('check', about)
      const used = await db
        .deleteFrom('verification_code')
        .where('subject', '=', subjectOf(about))
        .where('code_hash', '=', codeHash(about, code))
        .where('expires_at', '>', timestamp(clock.now()))
        .executeTakeFirst()
      if (Number(used.numDeletedRows) === 0) refuse(100115, 'code')
    },
    async exchange(about, code) {
      await demandRoom('check', about)
      const ticket = randomBytes(32).toString('base64url')
      const used = await db
        .updateTable('verification_code')
        // Under a subject of its own: a code that a stranger asks for meanwhile does not end it.
        .set({ subject: ticketHash(`subject ${ticket}`), ticket_hash: ticketHash(ticket), expires_at: end() })
        .where('subject', '=', subjectOf(about))
        .where('code_hash', '=', codeHash(about, code))
        .where('ticket_hash', 'is', null)
        .where('expires_at', '>', timestamp(clock.now()))
        .executeTakeFirst()
      if (Number(used.numUpdatedRows) === 0) refuse(100115, 'code')
      return ticket
    },
    async holderOf(ticket) {
      const row = await db
        .selectFrom('verification_code')
        .select('user_id')
        .where('ticket_hash', '=', ticketHash(ticket))
        .where('expires_at', '>', timestamp(clock.now()))
        .executeTakeFirst()
      return row?.user_id ?? null
    },
    async dropTicket(tx, ticket) {
      const dropped = await tx
        .deleteFrom('verification_code')
        .where('ticket_hash', '=', ticketHash(ticket))
        .returning('user_id')
        .executeTakeFirst()
      if (dropped === undefined) return false
      await tx.deleteFrom('verification_code').where('user_id', '=', dropped.user_id).execute()
      return true
    },
    async dropExpired() {
      const dropped = await db.deleteFrom('verification_code').where('expires_at', '<', timestamp(clock.now())).executeTakeFirst()
      return Number(dropped.numDeletedRows)
    },
  }
}
