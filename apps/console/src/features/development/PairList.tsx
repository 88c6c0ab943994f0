/** Pairs of a person and a device: the person or device, the progress, and the reason of a failure. */
import { Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import type { SyncPair } from '@gatehouse/contract/synchronisation/calls'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import type { ValueOf } from '@gatehouse/contract/enums/definition'
import { columnsOf } from '../../kit/list/columns.tsx'
import { EnumTag, useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import type { List } from '../../kit/list/useList.ts'
import { useSyncWords } from '../synchronisation/index.ts'
import styles from './development.module.css'

const ALL = 'all' as const

/** The query both lists have. */
interface PairQuery {
  page?: number
  size?: number
  status?: ValueOf<typeof personSyncStatus> | undefined
}

/** @param each whether a row stands for a person or a device */
export function PairList({ list, each }: { list: List<SyncPair, PairQuery>; each: 'person' | 'device' }) {
  const { t } = useTranslation('development')
  const label = useEnumLabel()
  const words = useSyncWords()
  const person = ({ personName, workNumber }: SyncPair) => (
    <span className={styles.two}>
      <span>{words.person(personName)}</span>
      {workNumber && <small>{workNumber}</small>}
    </span>
  )
  const columns = columnsOf<SyncPair>([
    {
      field: 'id',
      title: t(each === 'person' ? 'issued.person' : 'device'),
      width: 180,
      visibility: 'always',
      render: each === 'person' ? person : ({ deviceName }) => deviceName,
    },
    {
      field: 'status',
      title: t('issued.status'),
      width: 110,
      visibility: 'always',
      render: ({ status }) => <EnumTag of={personSyncStatus} value={status} />,
    },
    {
      field: 'message',
      title: t('issued.reason'),
      width: 220,
      visibility: 'always',
      render: ({ message, leaving }) =>
        message === null ? leaving ? t('issued.leaving') : null : <span className={styles.reason}>{words.reason(message)}</span>,
    },
    {
      field: 'updatedAt',
      title: t('issued.since'),
      width: 110,
      visibility: 'always',
      render: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
    },
  ])
  return (
    <>
      <div className={styles.above}>
        <Segmented
          aria-label={t('issued.status')}
          value={list.query.status ?? ALL}
          onChange={(status) => list.setQuery({ status: status === ALL ? undefined : status })}
          options={[
            { value: ALL, label: t('issued.all') },
            ...personSyncStatus.values.map((value) => ({ value, label: label(personSyncStatus, value) })),
          ]}
        />
      </div>
      <ListTable list={list} columns={columns} empty={{ title: t(each === 'person' ? 'issued.noPersons' : 'issued.noDevices') }} />
    </>
  )
}
