/** Filters inside a drawer: what is typed, and each status at a glance. The page behind keeps its own search, and its key. */
import { SearchOutlined } from '@ant-design/icons'
import { Segmented } from 'antd'
import Input from 'antd/es/input/Input'
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import type { List } from '../../kit/list/useList.ts'
import type { PairQuery } from './usePairs.ts'
import styles from './synchronisation.module.css'

/** Typing pauses this long before the list asks; milliseconds. */
const PAUSE = 300
const ALL = 'all'
/** What needs somebody comes first. */
const ORDER = ['failed', 'overtime', 'photoMissing', 'deleting', 'syncing', 'success'] as const

interface PairFiltersProps<Row> {
  list: List<Row, PairQuery>
  /** What the names are of. */
  label: string
  /** Stands at the end of the line. */
  children: ReactNode
}

export function PairFilters<Row>({ list, label, children }: PairFiltersProps<Row>) {
  const { t } = useTranslation('synchronisation')
  const word = useEnumLabel()
  const [typed, setTyped] = useState('')
  const ask = useEffectEvent((): void => {
    const name = typed.trim() || undefined
    if (name !== list.query.name) list.setQuery({ name })
  })
  useEffect(() => {
    const timer = setTimeout(ask, PAUSE)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <div className={styles.filters}>
      <Input
        aria-label={label}
        placeholder={label}
        allowClear
        prefix={<SearchOutlined />}
        value={typed}
        maxLength={64}
        onChange={(event) => setTyped(event.target.value)}
      />
      {children}
      <Segmented
        aria-label={t('status')}
        value={list.query.status ?? ALL}
        onChange={(status) => list.setQuery({ status: status === ALL ? undefined : Number(status) })}
        options={[
          { value: ALL, label: t('all') },
          ...ORDER.map((name) => ({ value: personSyncStatus[name], label: word(personSyncStatus, personSyncStatus[name]) })),
        ]}
      />
    </div>
  )
}
