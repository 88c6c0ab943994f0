/** Rows of the outbox. Unscoped: messages belong to the installation. */
import { columnList } from '../database/column-list.ts'
import { timestamp, type Database } from '../database/database.ts'
import { readPage } from '../database/page.ts'
import type { MessageTables } from './migration.ts'

type Db = Database<MessageTables>
export type MessageState = MessageTables['message']['state']

export interface MessageRow {
  id: string
  channel: 'email' | 'sms'
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
  'user_id as userId',
  'content',
  'text_until as textUntil',
  'state',
  'attempts',
  'reason',
  'created_at as createdAt',
  'sent_at as sentAt',
  'next_at as nextAt',
])
/** The driver gives times as epoch milliseconds; the tables' types also say what is written. */
type Selected = {
  [K in keyof MessageRow]: K extends 'createdAt' | 'sentAt' | 'nextAt' | 'textUntil' ? Date | number | null : MessageRow[K]
}
const rowOf = (row: Selected): MessageRow => row as unknown as MessageRow

export async function insertUnscoped(
  db: Db,
  { userId, textUntil, ...message }: Pick<MessageRow, 'id' | 'channel' | 'userId' | 'content' | 'state'> & { textUntil: number },
  now: number,
): Promise<void> {
  await db
    .insertInto('message')
    .values({
      ...message,
      user_id: userId,
      text_until: timestamp(textUntil),
      attempts: 0,
      reason: null,
      created_at: timestamp(now),
      sent_at: null,
      next_at: timestamp(now),
      claimed_until: null,
    })
    .execute()
}

/** Takes due messages for this node; another node that asks at the same moment gets others. */
export async function claimUnscoped(db: Db, now: number, forMs: number, limit: number): Promise<MessageRow[]> {
  const rows = await db
    .updateTable('message')
    .set({ claimed_until: timestamp(now + forMs) })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('message')
        .select('id')
        .where('state', '=', 'waiting')
        .where('next_at', '<=', timestamp(now))
        .where((or) => or.or([or('claimed_until', 'is', null), or('claimed_until', '<', timestamp(now))]))
        .orderBy('id')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returning(columns)
    .execute()
  return rows.map(rowOf).toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

export async function unclaimUnscoped(db: Db, id: string): Promise<void> {
  await db.updateTable('message').set({ claimed_until: null }).where('id', '=', id).execute()
}

/** @param content without the text, which nobody needs any more */
export async function noteSentUnscoped(db: Db, id: string, content: Buffer, now: number): Promise<void> {
  await db
    .updateTable('message')
    .set({ state: 'sent', sent_at: timestamp(now), reason: null, claimed_until: null, content, text_until: null })
    .where('id', '=', id)
    .execute()
}

/** @param failure `nextAt` null: it was the last attempt */
export async function noteFailureUnscoped(
  db: Db,
  id: string,
  { attempts, reason, nextAt }: { attempts: number; reason: string; nextAt: number | null },
): Promise<void> {
  await db
    .updateTable('message')
    .set({ attempts, reason, claimed_until: null, ...(nextAt === null ? { state: 'failed' as const } : { next_at: timestamp(nextAt) }) })
    .where('id', '=', id)
    .execute()
}

/** Makes a message due that was not delivered, its attempts counted anew; one that another node is delivering stays with that. */
export async function releaseUnscoped(db: Db, id: string, now: number): Promise<void> {
  await db
    .updateTable('message')
    .set({ state: 'waiting', attempts: 0, next_at: timestamp(now) })
    .where('id', '=', id)
    .where('state', '!=', 'sent')
    .where('text_until', 'is not', null)
    .execute()
}

/** Messages whose text is of no more use; not those that a node is delivering. */
export async function outdatedUnscoped(db: Db, now: number, limit: number): Promise<MessageRow[]> {
  const rows = await db
    .selectFrom('message')
    .select(columns)
    .where('text_until', '<=', timestamp(now))
    .where((or) => or.or([or('claimed_until', 'is', null), or('claimed_until', '<', timestamp(now))]))
    .orderBy('text_until')
    .limit(limit)
    .execute()
  return rows.map(rowOf)
}

/** Drops a text; a message that waited to be delivered cannot be any more. @param content without the text */
export async function dropTextUnscoped(db: Db, id: string, content: Buffer): Promise<void> {
  await db
    .updateTable('message')
    .set((eb) => ({
      content,
      text_until: null,
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

export async function findUnscoped(db: Db, id: string): Promise<MessageRow | undefined> {
  const row = await db.selectFrom('message').select(columns).where('id', '=', id).executeTakeFirst()
  return row && rowOf(row)
}

/** Newest first. */
export async function listUnscoped(
  db: Db,
  { state, ...page }: { page: number; size: number; state?: MessageState | undefined },
): Promise<{ total: number; rows: MessageRow[] }> {
  const rows = db
    .selectFrom('message')
    .select(columns)
    .$if(state !== undefined, (query) => query.where('state', '=', state!))
  const { content, total } = await readPage(rows.orderBy('created_at', 'desc').orderBy('id', 'desc'), page)
  return { total, rows: content.map(rowOf) }
}

export async function dropUnscoped(db: Db, before: number): Promise<void> {
  await db.deleteFrom('message').where('created_at', '<', timestamp(before)).execute()
}
