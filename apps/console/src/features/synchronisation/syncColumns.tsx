/** Columns of the devices and of the persons of a strategy, with the counts of each. */
import { useTranslation } from 'react-i18next'
import type { SyncDevice, SyncPerson, SyncCounts } from '@gatehouse/contract/synchronisation/calls'
import { deviceOnlineStatus } from '@gatehouse/contract/enums/devices'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { Connection } from '../../shared/Connection.tsx'
import { EnumTag, useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { useSyncWords } from './syncWords.ts'
import styles from './synchronisation.module.css'

export function useDeviceColumns(): TableColumn<SyncDevice>[] {
  const { t } = useTranslation('synchronisation')
  return columnsOf<SyncDevice>([
    {
      field: 'name',
      title: t('records:door'),
      width: 140,
      visibility: 'always',
      render: ({ name, code }) => (
        <span className={styles.two}>
          <span title={name}>{name}</span>
          <small title={code}>{code}</small>
        </span>
      ),
    },
    {
      field: 'status',
      title: t('status'),
      width: 96,
      visibility: 'always',
      render: ({ status }) => <EnumTag of={personSyncStatus} value={status} />,
    },
    {
      field: 'counts',
      title: t('persons'),
      width: 256,
      visibility: 'always',
      render: ({ counts }) => <CountsBar counts={counts} />,
    },
    {
      field: 'onlineStatus',
      title: t('device'),
      width: 110,
      render: (device) => (
        <span className={styles.two}>
          <span>
            <EnumTag of={deviceOnlineStatus} value={device.onlineStatus} />
          </span>
          {device.lastSeenAt !== null && (
            <small>
              <Connection of={device} stated />
            </small>
          )}
        </span>
      ),
    },
    {
      field: 'behind',
      title: t('behind'),
      width: 120,
      render: ({ behind }) => (behind === null ? t('everything') : behind === 0 ? t('upToDate') : t('changes', { count: behind })),
    },
  ])
}

export function usePersonColumns(): TableColumn<SyncPerson>[] {
  const { t } = useTranslation('synchronisation')
  const words = useSyncWords()
  return columnsOf<SyncPerson>([
    {
      field: 'name',
      title: t('records:person'),
      width: 190,
      visibility: 'always',
      render: ({ name, workNumber }) => (
        <span className={styles.two}>
          <span title={name}>{words.person(name)}</span>
          {workNumber && <small title={workNumber}>{workNumber}</small>}
        </span>
      ),
    },
    {
      field: 'status',
      title: t('status'),
      width: 96,
      visibility: 'always',
      render: ({ status }) => <EnumTag of={personSyncStatus} value={status} />,
    },
    {
      field: 'counts',
      title: t('devices'),
      width: 420,
      visibility: 'always',
      render: ({ counts }) => <CountsBar counts={counts} />,
    },
  ])
}

/** States in the order of the bar: good ones first, those that need attention last. */
const PARTS = ['success', 'syncing', 'deleting', 'photoMissing', 'overtime', 'failed'] as const satisfies readonly (keyof SyncCounts)[]

/**
 * The counts as one bar with words beside it, without states that have none.
 * @param large for the header of the page
 */
export function CountsBar({ counts, large }: { counts: SyncCounts; large?: boolean }) {
  const { t, i18n } = useTranslation('synchronisation')
  const label = useEnumLabel()
  const parts = PARTS.filter((part) => counts[part] > 0)
  const total = parts.reduce((sum, part) => sum + counts[part], 0)
  if (total === 0) return <span className={styles.none}>{t('nobody')}</span>
  return (
    <div className={styles.counts} data-large={large || undefined}>
      <i aria-hidden="true">
        {parts.map((part) => (
          <i key={part} data-part={part} style={{ flexGrow: counts[part] }} />
        ))}
      </i>
      <span>
        {parts.map((part) => (
          <span key={part} data-part={part}>
            {label(personSyncStatus, personSyncStatus[part])} <b>{counts[part].toLocaleString(i18n.language)}</b>
          </span>
        ))}
      </span>
    </div>
  )
}
