/** Columns of the list of upgrade tasks. */
import { Progress } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { jobState } from '@gatehouse/contract/enums/common'
import { updateType } from '@gatehouse/contract/enums/devices'
import type { UpgradeTask } from '@gatehouse/contract/upgrades/calls'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { EnumTag, useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { shownName } from '../../kit/shownName.ts'
import { taskAddress } from './addresses.ts'
import { useCountWords } from './countWords.ts'
import styles from './upgrades.module.css'

export function useTaskColumns(): TableColumn<UpgradeTask>[] {
  const { t } = useTranslation('upgrades')
  const label = useEnumLabel()
  const words = useCountWords()
  return columnsOf<UpgradeTask>([
    {
      field: 'versionNumber',
      title: t('versionNumber'),
      width: 140,
      visibility: 'always',
      render: (task) => (
        <span className={styles.two}>
          <Link to={taskAddress(task)} tabIndex={-1}>
            {task.versionNumber}
          </Link>
          <small>{t(`tab.${task.kind}`)}</small>
        </span>
      ),
    },
    {
      field: 'status',
      title: t('state'),
      width: 120,
      visibility: 'always',
      render: ({ status }) => <EnumTag of={jobState} value={status} />,
    },
    {
      field: 'progress',
      title: t('progress'),
      width: 150,
      // A full bar is a success; of what failed its state tells.
      render: ({ progress, status, versionNumber }) =>
        status === jobState.failed ? null : (
          <Progress percent={progress} size="small" strokeColor="var(--accent)" aria-label={t('progressOf', { version: versionNumber })} />
        ),
    },
    { field: 'counts', title: t('devices'), width: 330, render: ({ devices, counts }) => words(devices, counts) },
    { field: 'type', title: t('type'), width: 110, render: ({ type }) => label(updateType, type) },
    {
      field: 'approval',
      title: t('approvalLabel'),
      width: 150,
      render: ({ approval }) => (approval === 'none' ? null : <span className={styles.wrapped}>{t(`approval.${approval}`)}</span>),
    },
    { field: 'askedBy', title: t('askedBy'), width: 120, visibility: 'hidden', render: ({ askedBy }) => shownName(askedBy) },
    { field: 'content', title: t('content'), width: 220, visibility: 'hidden' },
    { field: 'createdAt', title: t('startedAt'), width: 120, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  ])
}
