/** Rows of notices. Unscoped: they are for everybody. */
import type { SystemNotice } from '@gatehouse/contract/system/notices'
import { timestamp, type Database } from '../../platform/database/database.ts'
import { readPage, type Paging } from '../../platform/database/page.ts'
import type { SystemTables } from './schema.ts'

type Db = Database<SystemTables>
type Words = SystemNotice['title']
export interface NoticeText {
  title: Words
  content: Words
}

const selectNotices = (db: Db, userId: string) =>
  db
    .selectFrom('notice')
    .leftJoin('notice_read', (join) => join.onRef('notice_read.notice_id', '=', 'notice.id').on('notice_read.user_id', '=', userId))
    .select(['notice.id', 'title', 'content', 'published_at as time', 'version', 'notice_read.user_id as reader'])
    .orderBy('published_at', 'desc')
    .orderBy('notice.id', 'desc')

type Row = Awaited<ReturnType<ReturnType<typeof selectNotices>['execute']>>[number]
/** The driver gives jsonb as what it holds, and times as epoch milliseconds. */
const noticeOf = ({ reader, ...row }: Row): SystemNotice => ({ ...(row as unknown as Omit<SystemNotice, 'read'>), read: reader !== null })

/** Newest first, as one user sees them. */
export async function listNoticesUnscoped(db: Db, userId: string, page: Paging): Promise<{ total: number; content: SystemNotice[] }> {
  const { content, total } = await readPage(selectNotices(db, userId), page)
  return { total, content: content.map(noticeOf) }
}

export async function findNoticeUnscoped(db: Db, id: string): Promise<(NoticeText & { version: number }) | undefined> {
  const row = await db.selectFrom('notice').select(['title', 'content', 'version']).where('id', '=', id).executeTakeFirst()
  return row as unknown as (NoticeText & { version: number }) | undefined
}

const textOf = ({ title, content }: NoticeText) => ({ title: JSON.stringify(title), content: JSON.stringify(content) })

export async function insertNoticeUnscoped(db: Db, id: string, text: NoticeText, now: number): Promise<void> {
  await db
    .insertInto('notice')
    .values({ id, ...textOf(text), published_at: timestamp(now), version: 1 })
    .execute()
}

/** Whether it was there in that version. */
export async function updateNoticeUnscoped(db: Db, id: string, text: NoticeText, version: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('notice')
    .set((eb) => ({ ...textOf(text), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function deleteNoticeUnscoped(db: Db, id: string): Promise<void> {
  await db.deleteFrom('notice').where('id', '=', id).execute()
}

export async function noteReadUnscoped(db: Db, id: string, userId: string, now: number): Promise<void> {
  await db
    .insertInto('notice_read')
    .values({ notice_id: id, user_id: userId, read_at: timestamp(now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
