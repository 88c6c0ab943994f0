/** /staffImport/{id}: upload of files, preview of their rows, the run, and its outcome. */
import { DeleteOutlined, DownloadOutlined } from '@ant-design/icons'
import { Alert, Button } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams, useSearchParams, Link, useBlocker } from 'react-router'
import { IMPORT_OUTCOMES, importCalls, type PersonImport } from '@gatehouse/contract/imports/calls'
import { DetailPage } from '../../kit/detail/DetailPage.tsx'
import { useRead } from '../../api/query.ts'
import { request } from '../../api/request.ts'
import { saveFile } from '../../api/saveFile.ts'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useMayCall } from '../../api/session.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { path } from '../../paths.ts'
import { modal } from '../../kit/feedback.tsx'
import { useWorkWatch } from '../faces/index.ts'
import { DropArea } from './DropArea.tsx'
import { ImportState, useDeleteImport } from './OneImport.tsx'
import { RowList } from './RowList.tsx'
import { RunState } from './RunState.tsx'
import { StrayPhotos } from './StrayPhotos.tsx'
import { UploadList } from './UploadList.tsx'
import { useUploads } from './useUploads.ts'
import styles from './imports.module.css'

export default function ImportPage() {
  const { id = '' } = useParams()
  const found = useRead(importCalls.read, { params: { id } })
  useWorkWatch(found.data?.state === 'running', importCalls.read)
  return <DetailPage query={found}>{(data) => <Filling of={data} />}</DetailPage>
}

function Filling({ of }: { of: PersonImport }) {
  const { t } = useTranslation('imports')
  const [search] = useSearchParams()
  const uploads = useUploads(of.id)
  const arriving = uploads.uploads.some(({ state }) => state === 'waiting' || state === 'sending')
  useLeaveWarning(arriving)
  const mayFill = useMayCall(importCalls.addRows)
  const rows = IMPORT_OUTCOMES.reduce((sum, outcome) => sum + (of.rows[outcome] ?? 0), 0)
  const empty = rows === 0 && of.photos === 0 && uploads.uploads.length === 0
  return (
    <Screen
      title={of.groupName}
      note={
        <span className={styles.note}>
          <ImportState of={of} />
          {t('noteOf', { kind: t(`kind.${of.kind}`), mode: t(`mode.${of.mode}`) })}
        </span>
      }
      actions={<Actions of={of} arriving={arriving} started={uploads.queue.clear} />}
    >
      <DropArea large={empty} hidden={!mayFill} disabled={!of.can.change} take={(files) => void uploads.take(files)}>
        <UploadList uploads={uploads} />
        <RunState of={of} />
        {of.state === 'draft' && of.issues.length > 0 && (
          <Alert
            className={styles.run ?? ''}
            type="warning"
            showIcon
            title={of.issues.map(({ words }) => (
              <p key={words}>{words}</p>
            ))}
          />
        )}
        {(rows > 0 || of.photos > 0) && (
          <>
            <OutcomeTabs of={of} />
            {search.get('photos') === null ? (
              <RowList of={of} />
            ) : (
              <StrayPhotos importId={of.id} kind={of.kind} disabled={!of.can.change} />
            )}
          </>
        )}
      </DropArea>
    </Screen>
  )
}

/** @param started called once the run has started */
function Actions({ of, arriving, started }: { of: PersonImport; arriving: boolean; started: () => void }) {
  const { t, i18n } = useTranslation('imports')
  const navigate = useNavigate()
  const start = useWrite(importCalls.start, { onDone: started })
  const remove = useDeleteImport(() => void navigate(path('staffImport')))
  const { id, rows, state, open, can } = of
  const refused = rows.refused ?? 0
  return (
    <>
      {can.delete && (
        <Button type="text" icon={<DeleteOutlined />} aria-label={t('deleteThis')} title={t('deleteThis')} onClick={() => remove(of)} />
      )}
      {refused > 0 && (
        <Button
          icon={<DownloadOutlined />}
          title={t('refusedHint')}
          onClick={() => void request(importCalls.refused, { params: { id } }).then(saveFile, () => {})}
        >
          {t('refused', { n: refused.toLocaleString(i18n.language) })}
        </Button>
      )}
      {(can.start || state === 'draft') && (
        <Button
          type="primary"
          disabled={arriving || !can.start}
          loading={start.pending}
          title={arriving ? t('stillArriving') : undefined}
          onClick={() => start.run({ params: { id }, body: {} })}
        >
          {t(open > 0 ? 'start' : 'startNothing', { count: open, n: open.toLocaleString(i18n.language) })}
        </Button>
      )}
    </>
  )
}

/**
 * The number of rows by outcome, each a link to its rows; the last ones lead to photographs that were refused or belong to no row.
 */
function OutcomeTabs({ of: { rows, photos, photosMatched, photosRefused } }: { of: PersonImport }) {
  const { t, i18n } = useTranslation('imports')
  const [search] = useSearchParams()
  const all = IMPORT_OUTCOMES.reduce((sum, outcome) => sum + (rows[outcome] ?? 0), 0)
  const inPhotos = search.get('photos') !== null
  const withIssue = search.get('withIssue') !== null
  const outcome = search.get('outcome')
  const tabs = [
    { key: 'all', count: all, search: '', current: !inPhotos && !withIssue && outcome === null },
    ...IMPORT_OUTCOMES.map((key) => ({ key, count: rows[key] ?? 0, search: `?outcome=${key}`, current: !inPhotos && outcome === key })),
    ...(photosRefused > 0 ? [{ key: 'photosRefused', count: photosRefused, search: '?withIssue=1', current: !inPhotos && withIssue }] : []),
    { key: 'stray', count: photos - photosMatched, search: '?photos=1', current: inPhotos },
  ]
  return (
    <nav className={styles.outcomes} aria-label={t('outcomes')}>
      {tabs.map(({ key, count, search: to, current }) => (
        <Link
          key={key}
          to={{ search: to }}
          replace
          data-outcome={key}
          data-none={count === 0 || undefined}
          {...(current && { 'aria-current': 'page' as const })}
        >
          <b>{count.toLocaleString(i18n.language)}</b>
          <span>{t(`outcome.${key}`)}</span>
        </Link>
      ))}
    </nav>
  )
}

/**
 * Ask before a page is left on which something is under way.
 * @param busy whether leaving would abort something; the end of a session is not delayed
 */
function useLeaveWarning(busy: boolean): void {
  const { t } = useTranslation('imports')
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      busy && currentLocation.pathname !== nextLocation.pathname && nextLocation.pathname !== path('login'),
  )
  useEffect(() => {
    if (blocker.state !== 'blocked') return
    modal.confirm({
      title: t('leave.title'),
      content: t('leave.words'),
      okText: t('leave.leave'),
      okButtonProps: { danger: true },
      cancelText: t('leave.stay'),
      onOk: () => blocker.proceed(),
      onCancel: () => blocker.reset(),
    })
  }, [blocker, t])
  useEffect(() => {
    if (!busy) return
    // The browser shows a question of its own.
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [busy])
}
