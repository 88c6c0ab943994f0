/** Notices to everybody: published, corrected, withdrawn, read. */
import { noticeCalls } from '@gatehouse/contract/system/notices'
import { handler, type MountedCall, type Platform } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { Conflict, NotFound } from '../../platform/http/refusal.ts'
import * as data from './notices-data.ts'

/** Return a text as the operation log shows it: its languages one by one. */
const flat = ({ title, content }: data.NoticeText) => ({ title: { ...title }, content: { ...content } })

export function noticeHandlers(platform: Platform): MountedCall[] {
  const db = platform.db
  const now = () => platform.clock.now()

  async function find(id: string) {
    const found = await data.findNoticeUnscoped(db, id)
    if (found === undefined) throw new NotFound()
    return found
  }

  return [
    handler(noticeCalls.addNotice, async ({ body }) => {
      const id = newId()
      await platform.transaction(async (tx) => {
        await data.insertNoticeUnscoped(tx, id, body, now())
        platform.audit.note({ entity: 'notice', id, label: body.title.en, after: flat(body) })
      })
      return { id }
    }),
    handler(noticeCalls.notices, async ({ session, query: { page, size } }) => ({
      ...(await data.listNoticesUnscoped(db, session.userId, { page, size })),
      page,
      size,
    })),
    handler(
      noticeCalls.lastNotice,
      async ({ session }) => (await data.listNoticesUnscoped(db, session.userId, { page: 1, size: 1 })).content[0] ?? null,
    ),
    handler(noticeCalls.changeNotice, async ({ body: { id, version, ...change } }) => {
      const before = await find(id)
      const text = leftAsItWas<data.NoticeText>({ title: before.title, content: before.content }, change)
      await platform.transaction(async (tx) => {
        if (!(await data.updateNoticeUnscoped(tx, id, text, version ?? before.version))) throw new Conflict(['title', 'content'])
        platform.audit.note({ entity: 'notice', id, label: text.title.en, before: flat(before), after: flat(text) })
      })
    }),
    handler(noticeCalls.removeNotice, async ({ params: { id } }) => {
      const before = await find(id)
      await platform.transaction(async (tx) => {
        await data.deleteNoticeUnscoped(tx, id)
        platform.audit.note({ entity: 'notice', id, label: before.title.en, before: flat(before) })
      })
    }),
    handler(noticeCalls.readNotice, async ({ session, params: { id } }) => {
      await find(id)
      await platform.transaction((tx) => data.noteReadUnscoped(tx, id, session.userId, now()))
    }),
  ]
}
