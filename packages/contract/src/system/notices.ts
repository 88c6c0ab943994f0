/** Notices to all users, such as of an upgrade: each in three languages, the newest shown after login until it was read. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { TEXT_MAX } from '../limits.ts'
import { changeOf, created, id, idParams, instant, pageData, pageQuery } from '../schema.ts'
import { changesByItself } from '../wire-names.ts'

const call = callsOf('system')

/** Characters of a notice's text. */
export const NOTICE_TEXT_MAX = 10_000

const inThreeLanguages = <S extends z.ZodType>(text: S) => z.object({ 'zh-CN': text, 'zh-TW': text, en: text })

const noticeBody = z.object({
  title: inThreeLanguages(z.string().trim().min(1).max(TEXT_MAX)),
  content: inThreeLanguages(z.string().trim().min(1).max(NOTICE_TEXT_MAX)),
})

export const notice = z.object({
  id,
  title: inThreeLanguages(z.string()),
  content: inThreeLanguages(z.string()),
  time: instant,
  /** Whether the calling user has read it. */
  read: changesByItself(z.boolean()),
  version: z.number().int(),
})
export type SystemNotice = z.output<typeof notice>

const listNotices = call({
  method: 'GET',
  service: 'biz',
  path: '/system/notice',
  permission: 'self',
  summary: 'All notices, newest first.',
  query: pageQuery,
  data: pageData(notice),
})

export const noticeCalls = {
  addNotice: call({
    method: 'POST',
    service: 'biz',
    path: '/system/notice',
    permission: 'installation',
    besides: ['system.base'],
    summary: 'Publishes a notice to everybody.',
    body: noticeBody,
    data: created,
  }),
  notices: listNotices,
  lastNotice: call({
    method: 'GET',
    service: 'biz',
    path: '/system/notice/last',
    permission: 'self',
    summary: 'The newest notice; null where there is none.',
    data: notice.nullable(),
    quiet: true,
  }),
  changeNotice: call({
    method: 'PUT',
    service: 'biz',
    path: '/system/notice',
    permission: 'installation',
    besides: ['system.base'],
    summary: 'Corrects a notice; who has read it is not asked again.',
    record: listNotices,
    body: changeOf(noticeBody).extend({ id, version: z.number().int().optional() }),
    origin: 'own',
  }),
  removeNotice: call({
    method: 'DELETE',
    service: 'biz',
    path: '/system/notice/{id}',
    permission: 'installation',
    besides: ['system.base'],
    summary: 'Takes a notice back.',
    params: idParams,
    origin: 'own',
  }),
  readNotice: call({
    method: 'POST',
    service: 'biz',
    path: '/system/notice/{id}/read',
    permission: 'self',
    summary: 'Notes that the asking user has read it.',
    params: idParams,
    origin: 'own',
    quiet: true,
  }),
}
