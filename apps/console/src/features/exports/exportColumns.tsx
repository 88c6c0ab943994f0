/** Columns of the list of exports. */
import { Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { exportStatus } from '@gatehouse/contract/enums/common'
import type { ExportTask } from '@gatehouse/contract/exports/calls'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { DateOnly, RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import styles from './exports.module.css'

const KIBIBYTE = 1024

export function useExportColumns(): TableColumn<ExportTask>[] {
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

/** How far it is while it is made, and why there is no file where it failed. */
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
