/** The progress of the persons of a strategy, or of an associated rule, to its devices: by device or by person. */
import { RedoOutlined } from '@ant-design/icons'
import { Button, Segmented } from 'antd'
import { lazy, Suspense, use, useEffect, useState, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import type { SyncCounts } from '@gatehouse/contract/synchronisation/calls'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import { DetailPage } from '../../kit/detail/DetailPage.tsx'
import { useRead } from '../../api/query.ts'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useMayOpen } from '../../api/session.ts'
import { path } from '../../paths.ts'
import { screens } from '../../screens.ts'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { ListTools } from '../../kit/list/ListTools.tsx'
import { useList } from '../../kit/list/useList.ts'
import { CountsBar, useDeviceColumns, usePersonColumns } from './syncColumns.tsx'
import type { PairsSubject } from './PairsDrawer.tsx'
import { SyncContext, deviceList, personList } from './syncCalls.ts'
import { useResend, AgainButton } from './AgainButton.tsx'
import { useSyncWatch } from './useSyncWatch.ts'
import { useSyncWords } from './syncWords.ts'
import styles from './synchronisation.module.css'

const PairsDrawer = lazy(() => import('./PairsDrawer.tsx'))

/** @param to address of the strategy or rule */
export function SyncStatus({ id, name, to }: { id: string; name: string; to: string }) {
  const { t } = useTranslation('synchronisation')
  const [view, setView] = useSyncView()
  const counts = useRead(use(SyncContext).counts, { query: { strategyId: id } })
  const { resend, pending } = useResend()
  const [{ subject, used }, setDrawer] = useState<{ subject?: PairsSubject | undefined; used: boolean }>({ used: false })
  // Leaving the page closes its drawer.
  useEffect(() => () => setDrawer(({ used: before }) => ({ used: before })), [])
  const { syncing = 0, deleting = 0, failed = 0, overtime = 0 } = counts.data?.total ?? {}
  useSyncWatch(syncing + deleting > 0)

  const List = view === 'persons' ? SyncPersons : SyncDevices
  return (
    <Screen
      title={t('title')}
      note={<Link to={to}>{name}</Link>}
      actions={
        <>
          <Segmented
            aria-label={t('records:view')}
            value={view}
            onChange={setView}
            options={[
              { value: 'devices', label: t('byDevice') },
              { value: 'persons', label: t('byPerson') },
            ]}
          />
          <Button
            type="primary"
            icon={<RedoOutlined />}
            disabled={failed + overtime === 0}
            loading={pending}
            onClick={() => resend({ strategyId: id })}
          >
            {t('resendAll')}
          </Button>
        </>
      }
    >
      <DetailPage query={counts}>
        {({ persons }) => (
          <>
            {persons && <PersonsReached counts={persons} />}
            <List strategyId={id} open={(opened) => setDrawer({ subject: opened, used: true })} />
          </>
        )}
      </DetailPage>
      <Suspense fallback={null}>{used && <PairsDrawer subject={subject} close={() => setDrawer({ used: true })} />}</Suspense>
    </Screen>
  )
}

/** The persons of the strategy, each counted once by the state at its doors that most needs attention. */
function PersonsReached({ counts }: { counts: SyncCounts }) {
  const { t, i18n } = useTranslation('synchronisation')
  const mayLook = useMayOpen(screens.photoBoard)
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <section aria-label={t('summary')}>
      <p className={styles.total}>
        {t('ofPersons', { count: total, persons: total.toLocaleString(i18n.language) })}
        {counts.photoMissing > 0 && mayLook && <Link to={path('photoBoard')}>{t('addPhotos')}</Link>}
      </p>
      <CountsBar counts={counts} large />
    </section>
  )
}

type View = 'devices' | 'persons'

/** Return the list that is shown. It is kept in the address beside the filters, which a change of the list resets. */
function useSyncView(): [View, (view: View) => void] {
  const [search, setSearch] = useSearchParams()
  const inAddress: View = search.get('view') === 'persons' ? 'persons' : 'devices'
  const [view, setView] = useState(inAddress)
  useEffect(() => {
    if (view === inAddress) return
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (view === 'persons') next.set('view', view)
        else next.delete('view')
        return next
      },
      { replace: true },
    )
  }, [view, inAddress, setSearch])
  return [
    view,
    (next) => {
      setView(next)
      setSearch(new URLSearchParams(next === 'persons' ? { view: next } : undefined), { replace: true })
    },
  ]
}

const hasFailed = ({ failed, overtime }: SyncCounts): boolean => failed + overtime > 0

interface SyncListProps {
  strategyId: string
  open: (subject: PairsSubject) => void
}

/** The devices of a strategy, and its persons. */
function SyncDevices({ strategyId, open }: SyncListProps) {
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

function SyncPersons({ strategyId, open }: SyncListProps) {
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
