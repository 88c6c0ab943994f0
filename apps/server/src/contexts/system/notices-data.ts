/** Rows of notices. Unscoped: they are for all users. */
import type { SystemNotice } from '@gatehouse/contract/system/notices'
import { timestamp, type Database } from '../../platform/database/database.ts'
import { readPage, type Paging } from '../../platform/database/page.ts'

type Words = SystemNotice['title']
export interface NoticeText {
  title: Words
  content: Words
}

const selectNotices = (db: Database, userId: string) =>
  db
    .selectFrom('notice')
    .leftJoin('noticeRead', (join) => join.onRef('noticeRead.noticeId', '=', 'notice.id').on('noticeRead.userId', '=', userId))
    .select(['notice.id', 'title', 'content', 'publishedAt as time', 'version', 'noticeRead.userId as reader'])
    .orderBy('publishedAt', 'desc')
    .orderBy('notice.id', 'desc')

type Row = Awaited<ReturnType<ReturnType<typeof selectNotices>['execute']>>[number]
/** The driver returns jsonb as parsed values, and times as epoch milliseconds. */
const noticeOf = ({ reader, ...row }: Row): SystemNotice => ({ ...(row as Omit<SystemNotice, 'read'>), read: reader !== null })

/** Return a page of notices as one user sees them, newest first. */
export async function listNoticesUnscoped(db: Database, userId: string, page: Paging): Promise<{ total: number; content: SystemNotice[] }> {
  const { content, total } = await readPage(selectNotices(db, userId), page)
  return { total, content: content.map(noticeOf) }
}

export async function findNoticeUnscoped(db: Database, id: string): Promise<(NoticeText & { version: number }) | undefined> {
  const row = await db.selectFrom('notice').select(['title', 'content', 'version']).where('id', '=', id).executeTakeFirst()
  return row as (NoticeText & { version: number }) | undefined
}

const textOf = ({ title, content }: NoticeText) => ({ title: JSON.stringify(title), content: JSON.stringify(content) })

export async function insertNoticeUnscoped(db: Database, id: string, text: NoticeText, now: number): Promise<void> {
  await db
    .insertInto('notice')
    .values({ id, ...textOf(text), publishedAt: timestamp(now), version: 1 })
    .execute()
}

/** Update a notice. @returns whether it existed in that version */
export async function updateNoticeUnscoped(db: Database, id: string, text: NoticeText, version: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('notice')
    .set((eb) => ({ ...textOf(text), version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function deleteNoticeUnscoped(db: Database, id: string): Promise<void> {
  await db.deleteFrom('notice').where('id', '=', id).execute()
}

export async function noteReadUnscoped(db: Database, id: string, userId: string, now: number): Promise<void> {
  await db
    .insertInto('noticeRead')
    .values({ noticeId: id, userId, readAt: timestamp(now) })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}
