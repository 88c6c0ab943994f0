/**
 * Six-digit codes that are sent to a telephone or an address and typed in again. They expire after ten minutes; their number a day is
 * limited.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { CODES_PER_DAY } from '@gatehouse/contract'
import { networkOf } from '../../platform/http/address-limit.ts'
import type { Platform } from '../../platform/context.ts'
import { timestamp, type Database } from '../../platform/database/database.ts'
import { refuse } from '../../platform/http/refusal.ts'
import type { Attempts } from './login-attempts.ts'

export const CODE_MINUTES = 10
/** Most requests and checks from one address in a day, for all accounts together. */
const ADDRESS_PER_DAY = 200
/**
 * Most requests and checks about one account in a day, from all addresses together. It bounds the guesses, of a million codes, and the
 * messages.
 */
const EVERYWHERE_PER_DAY = 100
/** A code younger than this is not replaced by another. */
const RECENT_MS = 60_000

/** The purpose of a code, and the account it is counted for. */
export interface CodeSubject {
  /** What the code was sent to. A newer code with the same subject replaces it. */
  subject: string
  /** Key under which the requests and checks of a day are counted, up to `CODES_PER_DAY`. */
  counted: string
  /** Second key, with a far higher limit: strangers elsewhere cannot use up what `counted` allows. */
  everywhere?: string
  /** Address that the request comes from. */
  ip: string
}

export interface Codes {
  /** Make a code. @throws Refusal 100113 when too many were requested today */
  make(about: CodeSubject): Promise<string>
  /** Like `make`. @returns null where an unused code of the last minute exists, which stays valid */
  makeUnlessRecent(about: CodeSubject, userId: string | null): Promise<string | null>
  /** Use up a code. @throws Refusal 100114 when too many were tried today, 100115 for a wrong or expired one */
  check(about: CodeSubject, code: string): Promise<void>
  /** Exchange a code for a ticket that is valid for the same time again. @throws like `check` */
  exchange(about: CodeSubject, code: string): Promise<string>
  /** Return the id of the user that a ticket stands for; null where there is none. */
  holderOf(ticket: string): Promise<string | null>
  /** Use up a ticket, and delete every other ticket and code of its user. @returns whether the ticket existed */
  dropTicket(db: Database, ticket: string): Promise<boolean>
  dropExpired(): Promise<number>
}

/** Return the end of the current day in the server's time zone, in epoch milliseconds. */
const endOfDay = (now: number): number => {
  const here = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(Temporal.Now.timeZoneId())
  return here.startOfDay().add({ days: 1 }).epochMilliseconds
}

export function createCodes({ db, clock, crypto }: Pick<Platform, 'db' | 'clock' | 'crypto'>, attempts: Attempts): Codes {
  const subjectOf = ({ subject }: CodeSubject): Buffer => crypto.blindIndex(`code for ${subject}`)
  const codeHash = ({ subject }: CodeSubject, code: string): Buffer => crypto.blindIndex(`code ${code} for ${subject}`)
  const ticketHash = (ticket: string): Buffer => crypto.blindIndex(`ticket ${ticket}`)
  const end = () => timestamp(clock.now() + CODE_MINUTES * 60_000)

  /** Count one more request or check of today. One that a bound refuses does not count towards the next bounds. */
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

  /** Store a new code. @returns null where the current one was made since `recentFrom` */
  async function store(about: CodeSubject, userId: string | null, recentFrom: number): Promise<string | null> {
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const row = { userId, codeHash: codeHash(about, code), ticketHash: null, expiresAt: end() }
    const stored = await db
      .insertInto('verificationCode')
      .values({ subject: subjectOf(about), ...row })
      .onConflict((conflict) =>
        conflict
          .column('subject')
          .doUpdateSet(row)
          .where('verificationCode.expiresAt', '<=', timestamp(recentFrom + CODE_MINUTES * 60_000)),
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
        .deleteFrom('verificationCode')
        .where('subject', '=', subjectOf(about))
        .where('codeHash', '=', codeHash(about, code))
        .where('expiresAt', '>', timestamp(clock.now()))
        .executeTakeFirst()
      if (Number(used.numDeletedRows) === 0) refuse(100115, 'code')
    },
    async exchange(about, code) {
      await demandRoom('check', about)
      const ticket = randomBytes(32).toString('base64url')
      const used = await db
        .updateTable('verificationCode')
        // Under a subject of its own, so that a code that a stranger requests meanwhile does not replace it.
        .set({ subject: ticketHash(`subject ${ticket}`), ticketHash: ticketHash(ticket), expiresAt: end() })
        .where('subject', '=', subjectOf(about))
        .where('codeHash', '=', codeHash(about, code))
        .where('ticketHash', 'is', null)
        .where('expiresAt', '>', timestamp(clock.now()))
        .executeTakeFirst()
      if (Number(used.numUpdatedRows) === 0) refuse(100115, 'code')
      return ticket
    },
    async holderOf(ticket) {
      const row = await db
        .selectFrom('verificationCode')
        .select('userId')
        .where('ticketHash', '=', ticketHash(ticket))
        .where('expiresAt', '>', timestamp(clock.now()))
        .executeTakeFirst()
      return row?.userId ?? null
    },
    async dropTicket(tx, ticket) {
      const dropped = await tx
        .deleteFrom('verificationCode')
        .where('ticketHash', '=', ticketHash(ticket))
        .returning('userId')
        .executeTakeFirst()
      if (dropped === undefined) return false
      await tx.deleteFrom('verificationCode').where('userId', '=', dropped.userId).execute()
      return true
    },
    async dropExpired() {
      const dropped = await db.deleteFrom('verificationCode').where('expiresAt', '<', timestamp(clock.now())).executeTakeFirst()
      return Number(dropped.numDeletedRows)
    },
  }
}
