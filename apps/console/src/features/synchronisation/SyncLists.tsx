/** The devices of a strategy, and its persons. */
import { use, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { SyncCounts } from '@gatehouse/contract/synchronisation/calls'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { useList } from '../../kit/list/useList.ts'
import { AgainButton } from './AgainButton.tsx'
import type { PairsSubject } from './PairsDrawer.tsx'
import { deviceList, personList, SyncContext } from './syncCalls.ts'
import { useDeviceColumns, usePersonColumns } from './syncColumns.tsx'
import { useSyncWords } from './syncWords.ts'

const hasFailed = ({ failed, overtime }: SyncCounts): boolean => failed + overtime > 0

interface SyncListProps {
  strategyId: string
  open: (subject: PairsSubject) => void
}

export function SyncDevices({ strategyId, open }: SyncListProps) {
  const { t } = useTranslation('synchronisation')
  const calls = use(SyncContext)
  const list = useList(
    useMemo(() => deviceList(calls), [calls]),
    { name: 'syncDevices', fixed: { strategyId } },
  )
  const columns = useDeviceColumns()
  const optionsOf = useEnumOptions()
  return (
    <>
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('records:door') },
          { field: 'status', label: t('status'), options: optionsOf(personSyncStatus) },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('noDevices') }}
        onOpen={({ id, name }) => open({ of: { deviceId: id, strategyId }, name, status: list.query.status })}
        actions={({ id, name, counts }) =>
          hasFailed(counts) && <AgainButton target={{ deviceId: id, strategyId }} label={t('resendOf', { name })} />
        }
      />
    </>
  )
}

export function SyncPersons({ strategyId, open }: SyncListProps) {
  const { t } = useTranslation('synchronisation')
  const calls = use(SyncContext)
  const list = useList(
    useMemo(() => personList(calls), [calls]),
    { name: 'syncPersons', fixed: { strategyId } },
  )
  const columns = usePersonColumns()
  const optionsOf = useEnumOptions()
  const words = useSyncWords()
  return (
    <>
      <FilterBar
        list={list}
        filters={[
          { field: 'name', label: t('records:person') },
          { field: 'status', label: t('status'), options: optionsOf(personSyncStatus) },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('noPersons') }}
        onOpen={({ id, name }) => open({ of: { personId: id, strategyId }, name, status: list.query.status })}
        actions={({ id, name, counts }) =>
          hasFailed(counts) && <AgainButton target={{ personId: id, strategyId }} label={t('resendOf', { name: words.person(name) })} />
        }
      />
    </>
  )
}
