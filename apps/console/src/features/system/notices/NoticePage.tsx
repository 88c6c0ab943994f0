/** /onlineNotice: the notices to read, newest first. */
import { Button, Skeleton } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { noticeCalls, type SystemNotice } from '@gatehouse/contract/system/notices'
import { useLanguage } from '../../../i18n/index.ts'
import { StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { ListError } from '../../../kit/list/ListStates.tsx'
import { useRead } from '../../../api/query.ts'
import { DateOnly } from '../../../kit/detail/RelativeTime.tsx'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { path } from '../../../paths.ts'
import styles from './notices.module.css'

const SIZE = 20

export default function NoticePage() {
  const { t } = useTranslation('system')
  const { language } = useLanguage()
  const [search, setSearch] = useSearchParams()
  const page = Math.max(1, Number(search.get('page')) || 1)
  const notices = useRead(noticeCalls.notices, { query: { page, size: SIZE } })
  const content = notices.data?.content ?? []
  const total = notices.data?.total ?? 0
  const shown = content.find(({ id }) => id === search.get('id')) ?? content[0]
  useReadMark(shown)
  const go = (to: Record<string, string>): void => setSearch(to, { replace: true })
  return (
    <div className={styles.reader}>
      <nav className={styles.readerSide} aria-label={t('notices.all')}>
        <header>
          <h1>{t('shell:title.onlineNotice')}</h1>
          <Link to={path('home')}>{t('notices.back')}</Link>
        </header>
        {notices.isPending && <Skeleton active paragraph={{ rows: 6 }} />}
        <ul>
          {content.map(({ id, title, time, read }) => (
            <li key={id}>
              <button type="button" aria-current={id === shown?.id} onClick={() => go({ ...(page > 1 && { page: String(page) }), id })}>
                <b title={title[language]}>{title[language]}</b>
                <small>
                  <DateOnly at={time} />
                  {!read && <StatusTag status="info">{t('notices.unread')}</StatusTag>}
                </small>
              </button>
            </li>
          ))}
        </ul>
        {total > SIZE && (
          <div className={styles.pages}>
            <Button disabled={page === 1} onClick={() => go({ page: String(page - 1) })}>
              {t('notices.newer')}
            </Button>
            <Button disabled={page * SIZE >= total} onClick={() => go({ page: String(page + 1) })}>
              {t('notices.older')}
            </Button>
          </div>
        )}
      </nav>
      <main className={styles.readerBody}>
        {notices.isError && <ListError error={notices.error} retry={() => void notices.refetch()} />}
        {notices.isSuccess && !shown && <p>{t('notices.nothing')}</p>}
        {shown && (
          <>
            <h2>{shown.title[language]}</h2>
            <DateOnly at={shown.time} />
            <div className={styles.noticeText}>{shown.content[language]}</div>
          </>
        )}
      </main>
    </div>
  )
}

/** Mark a notice as read once it is on the screen. */
function useReadMark(notice: SystemNotice | undefined): void {
  const { run } = useWrite(noticeCalls.readNotice, { errors: 'inline' })
  const unread = notice?.read === false ? notice.id : undefined
  useEffect(() => {
    if (unread) run({ params: { id: unread } })
  }, [run, unread])
}
