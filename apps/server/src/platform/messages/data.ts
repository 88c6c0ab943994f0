/** Rows of the outbox. Unscoped: messages belong to the installation. */
import type { MessageChannel } from '@gatehouse/contract/system/messages'
import type { Selectable } from 'kysely'
import type { Tables } from '../database/tables.ts'
import { columnList } from '../database/column-list.ts'
import { timestamp, type Database } from '../database/database.ts'
import { readPage } from '../database/page.ts'

export type MessageState = Selectable<Tables['message']>['state']

export interface MessageRow {
  id: string
  channel: MessageChannel
  userId: string | null
  content: Buffer
  textUntil: number | null
  state: MessageState
  attempts: number
  reason: string | null
  createdAt: number
  sentAt: number | null
  nextAt: number
}

const columns = columnList([
  'id',
  'channel',
  'userId',
  'content',
  'textUntil',
  'state',
  'attempts',
  'reason',
  'createdAt',
  'sentAt',
  'nextAt',
])
/** The driver returns times as epoch milliseconds; the tables' types also cover what is written. */
type Selected = {
  [K in keyof MessageRow]: K extends 'createdAt' | 'sentAt' | 'nextAt' | 'textUntil' ? Date | number | null : MessageRow[K]
}
const rowOf = (row: Selected): MessageRow => row as MessageRow

export async function insertUnscoped(
  db: Database,
  { userId, textUntil, ...message }: Pick<MessageRow, 'id' | 'channel' | 'userId' | 'content' | 'state'> & { textUntil: number },
  now: number,
): Promise<void> {
  await db
    .insertInto('message')
    .values({
      ...message,
      userId,
      textUntil: timestamp(textUntil),
      attempts: 0,
      reason: null,
      createdAt: timestamp(now),
      sentAt: null,
      nextAt: timestamp(now),
      claimedUntil: null,
    })
    .execute()
}

/**
 * Claim due messages for this node; another node that claims at the same moment gets other ones.
 * @param isMailing false: no e-mails
 */
export async function claimUnscoped(
  db: Database,
  now: number,
  forMs: number,
  { limit, isMailing }: { limit: number; isMailing: boolean },
): Promise<MessageRow[]> {
  const rows = await db
    .updateTable('message')
    .set({ claimedUntil: timestamp(now + forMs) })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('message')
        .select('id')
        .where('state', '=', 'waiting')
        .where('nextAt', '<=', timestamp(now))
        .$if(!isMailing, (query) => query.where('channel', '!=', 'email'))
        .where((or) => or.or([or('claimedUntil', 'is', null), or('claimedUntil', '<', timestamp(now))]))
        .orderBy('id')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(columns)
    .execute()
  return rows.map(rowOf).toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

export async function unclaimUnscoped(db: Database, id: string): Promise<void> {
  await db.updateTable('message').set({ claimedUntil: null }).where('id', '=', id).execute()
}

/** Store that a message was sent. @param content without the text, which is no longer needed */
export async function noteSentUnscoped(db: Database, id: string, content: Buffer, now: number): Promise<void> {
  await db
    .updateTable('message')
    .set({ state: 'sent', sentAt: timestamp(now), reason: null, claimedUntil: null, content, textUntil: null })
    .where('id', '=', id)
    .execute()
}

/** Store a failed attempt. @param failure `nextAt` null: it was the last attempt */
export async function noteFailureUnscoped(
  db: Database,
  id: string,
  { attempts, reason, nextAt }: { attempts: number; reason: string; nextAt: number | null },
): Promise<void> {
  await db
    .updateTable('message')
    .set({ attempts, reason, claimedUntil: null, ...(nextAt === null ? { state: 'failed' as const } : { nextAt: timestamp(nextAt) }) })
    .where('id', '=', id)
    .execute()
}

/** Make an undelivered message due, its attempts counted from zero; one that another node is delivering stays with that node. */
export async function releaseUnscoped(db: Database, id: string, now: number): Promise<void> {
  await db
    .updateTable('message')
    .set({ state: 'waiting', attempts: 0, nextAt: timestamp(now) })
    .where('id', '=', id)
    .where('state', '!=', 'sent')
    .where('textUntil', 'is not', null)
    .execute()
}

/** Return messages whose text is no longer useful, except those that a node is delivering. */
export async function outdatedUnscoped(db: Database, now: number, limit: number): Promise<MessageRow[]> {
  const rows = await db
    .selectFrom('message')
    .select(columns)
    .where('textUntil', '<=', timestamp(now))
    .where((or) => or.or([or('claimedUntil', 'is', null), or('claimedUntil', '<', timestamp(now))]))
    .orderBy('textUntil')
    .limit(limit)
    .execute()
  return rows.map(rowOf)
}

/** Drop a text; a message that still waited for delivery has failed. @param content without the text */
export async function dropTextUnscoped(db: Database, id: string, content: Buffer): Promise<void> {
  await db
    .updateTable('message')
    .set((eb) => ({
      content,
      textUntil: null,
      state: eb
        .case()
        .when('state', '=', 'waiting')
        .then('failed' as const)
        .else(eb.ref('state'))
        .end(),
    }))
    .where('id', '=', id)
    .execute()
}

export async function findUnscoped(db: Database, id: string): Promise<MessageRow | undefined> {
  const row = await db.selectFrom('message').select(columns).where('id', '=', id).executeTakeFirst()
  return row && rowOf(row)
}

/** Return a page of messages, newest first. */
export async function listUnscoped(
  db: Database,
  { state, ...page }: { page: number; size: number; state?: MessageState | undefined },
): Promise<{ total: number; rows: MessageRow[] }> {
  const rows = db
    .selectFrom('message')
    .select(columns)
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
  const { content, total } = await readPage(rows.orderBy('createdAt', 'desc').orderBy('id', 'desc'), page)
  return { total, rows: content.map(rowOf) }
}

export async function dropUnscoped(db: Database, before: number): Promise<void> {
  await db.deleteFrom('message').where('createdAt', '<', timestamp(before)).execute()
}
