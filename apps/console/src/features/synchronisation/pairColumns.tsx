/** Columns of pairs of a person and a device: the person or device, the state, and the reason of a failure. */
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { SyncPair } from '@gatehouse/contract/synchronisation/calls'
import { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import { deviceOnlineStatus } from '@gatehouse/contract/enums/devices'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { useMay, useMayCall } from '../../api/session.ts'
import { path } from '../../paths.ts'
import { useSyncWords } from './syncWords.ts'
import styles from './synchronisation.module.css'

/** @param each whether a row is a person or a device; the other half of the pairs is the same in all rows */
export function usePairColumns(each: 'person' | 'device'): TableColumn<SyncPair>[] {
  const { t } = useTranslation('synchronisation')
  const words = useSyncWords()
  const mayOpen = useMay(each === 'person' ? 'person.list' : 'device.list')
  const person = ({ personId, personName, workNumber }: SyncPair) => (
    <span className={styles.two}>
      {mayOpen && personName ? (
        <Link to={path('staffDetails', { id: personId })} title={personName} tabIndex={-1}>
          {personName}
        </Link>
      ) : (
        <span>{words.person(personName)}</span>
      )}
      {workNumber && <small title={workNumber}>{workNumber}</small>}
    </span>
  )
  const device = ({ deviceId, deviceName, onlineStatus }: SyncPair) => (
    <span className={styles.two}>
      {mayOpen ? (
        <Link to={path('deviceDetails', { deviceId })} title={deviceName} tabIndex={-1}>
          {deviceName}
        </Link>
      ) : (
        <span>{deviceName}</span>
      )}
      {onlineStatus === deviceOnlineStatus.offline && <small>{t('offline')}</small>}
    </span>
  )
  return columnsOf<SyncPair>([
    {
      field: 'id',
      title: each === 'person' ? t('records:person') : t('records:door'),
      width: 170,
      visibility: 'always',
      render: each === 'person' ? person : device,
    },
    {
      field: 'status',
      title: t('status'),
      width: 96,
      visibility: 'always',
      render: ({ status }) => <EnumTag of={personSyncStatus} value={status} />,
    },
    {
      field: 'message',
      title: t('records:reason'),
      width: 200,
      visibility: 'always',
      render: ({ personId, message, leaving, status }) => {
        if (status === personSyncStatus.photoMissing) return <PhotoWays personId={personId} />
        if (message !== null) return <span className={styles.reason}>{words.reason(message)}</span>
        if (leaving) return t('leaving')
        return status === personSyncStatus.overtime ? t('noAnswer') : ''
      },
    },
    {
      field: 'updatedAt',
      title: t('since'),
      width: 104,
      visibility: 'always',
      render: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
    },
  ])
}

/** The ways to a missing photo of a person. */
function PhotoWays({ personId }: { personId: string }) {
  const { t } = useTranslation('synchronisation')
  const mayOpen = useMay('person.list')
  const maySend = useMayCall(enrolmentCalls.createLink)
  return (
    <span className={styles.missing}>
      {mayOpen && <Link to={path('staffDetails', { id: personId })}>{t('addPhoto')}</Link>}
      {maySend && <Link to={`${path('enrolmentLinks')}?personId=${personId}`}>{t('sendLink')}</Link>}
    </span>
  )
}
