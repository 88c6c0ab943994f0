/** /exportRecord: the user's exports, newest first; files can be downloaded for a week. */
import { CloseOutlined, DownloadOutlined, RedoOutlined, StopOutlined } from '@ant-design/icons'
import { Button, Progress, Tooltip } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { EXPORT_KEPT } from '@gatehouse/contract'
import { exportStatus } from '@gatehouse/contract/enums/common'
import { exportCalls, type ExportTask } from '@gatehouse/contract/exports/calls'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useList } from '../../kit/list/useList.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { DateOnly, RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { useWorkWatch } from '../faces/index.ts'
import { useDownload } from './useDownload.ts'
import styles from './exports.module.css'

const UNDER_WAY: readonly number[] = [exportStatus.waiting, exportStatus.exporting]

export default function ExportListPage() {
  const { t } = useTranslation('exports')
  const list = useList(exportCalls.list, { name: 'exports' })
  const columns = useExportColumns()
  useWorkWatch(
    list.rows.some(({ status }) => UNDER_WAY.includes(status)),
    exportCalls.list,
  )
  return (
    <Screen title={t('title')} note={!list.pending && t('total', { count: list.total })}>
      <div className={styles.above}>
        <p>{t('words', { count: EXPORT_KEPT })}</p>
        <ListTools list={list} columns={columns} />
      </div>
      <ListTable list={list} columns={columns} empty={{ title: t('noneYet') }} actions={(task) => <Action task={task} />} />
    </Screen>
  )
}

/** The one action that the state of a task allows. */
function Action({ task: { id, can, fileName: name } }: { task: ExportTask }) {
  const { t } = useTranslation('exports')
  const { download, pending } = useDownload()
  const cancel = useWrite(exportCalls.cancel, { done: t('cancelled') })
  const stop = useWrite(exportCalls.stop, { done: t('stopped') })
  const retry = useWrite(exportCalls.retry)
  const button = (words: string, icon: ReactNode, busy: boolean, run: () => void) => (
    <Tooltip title={words}>
      <Button type="text" icon={icon} loading={busy} aria-label={words} onClick={run} />
    </Tooltip>
  )
  if (can.download) return button(t('download', { name }), <DownloadOutlined />, pending, () => download(id))
  if (can.retry) return button(t('retry', { name }), <RedoOutlined />, retry.pending, () => retry.run({ query: { id } }))
  if (can.cancel) return button(t('cancel', { name }), <CloseOutlined />, cancel.pending, () => cancel.run({ query: { id } }))
  if (can.stop) return button(t('stop', { name }), <StopOutlined />, stop.pending, () => stop.run({ query: { taskId: id } }))
  return null
}

const KIBIBYTE = 1024

/** Columns of the list of exports. */
function useExportColumns(): TableColumn<ExportTask>[] {
  const { t, i18n } = useTranslation('exports')
  const number = (value: number): string => value.toLocaleString(i18n.language)
  const sizeText = (bytes: number): string =>
    bytes < KIBIBYTE ** 2
      ? t('kilobytes', { n: number(Math.ceil(bytes / KIBIBYTE)) })
      : t('megabytes', { n: (bytes / KIBIBYTE ** 2).toLocaleString(i18n.language, { maximumFractionDigits: 1 }) })
  return columnsOf<ExportTask>([
    { field: 'fileName', title: t('file'), width: 260, visibility: 'always' },
    { field: 'status', title: t('state'), width: 220, visibility: 'always', render: (task) => <State task={task} /> },
    { field: 'total', title: t('rows'), width: 90, render: ({ total }) => number(total) },
    { field: 'size', title: t('size'), width: 90, render: ({ size }) => (size === null ? null : sizeText(size)) },
    { field: 'createdAt', title: t('createdAt'), width: 110, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    {
      field: 'finishedAt',
      title: t('finishedAt'),
      width: 110,
      visibility: 'hidden',
      render: ({ finishedAt }) => <RelativeTime at={finishedAt} />,
    },
    { field: 'expiresAt', title: t('expiresAt'), width: 110, render: ({ expiresAt }) => <DateOnly at={expiresAt} /> },
  ])
}

/** The progress of an export, or the reason of its failure. */
function State({ task: { status, done, total, reason, fileName } }: { task: ExportTask }) {
  const { t, i18n } = useTranslation('exports')
  const number = (value: number): string => value.toLocaleString(i18n.language)
  return (
    <span className={styles.two}>
      <span>
        <EnumTag of={exportStatus} value={status} />
      </span>
      {status === exportStatus.exporting && (
        <>
          <Progress
            className={styles.progress ?? ''}
            size="small"
            showInfo={false}
            percent={total === 0 ? 0 : Math.floor((done / total) * 100)}
            strokeColor="var(--accent)"
            aria-label={t('progressOf', { name: fileName })}
          />
          <small>{t('progress', { done: number(done), total: number(total) })}</small>
        </>
      )}
      {reason !== null && <small>{t(`reason.${reason}`)}</small>}
    </span>
  )
}
