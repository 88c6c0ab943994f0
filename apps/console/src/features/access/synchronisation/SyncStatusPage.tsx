/** /syncStatus/{id}: how far the persons of a strategy have reached its devices, by device or by person. */
import { RedoOutlined } from '@ant-design/icons'
import { Button, Segmented } from 'antd'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams, useSearchParams } from 'react-router'
import { accessCalls } from '@gatehouse/contract/access/calls'
import { synchronisationCalls } from '@gatehouse/contract/access/synchronisation'
import { DetailPage } from '../../../kit/DetailPage.tsx'
import { useRead } from '../../../kit/query.ts'
import { Screen } from '../../../kit/Screen.tsx'
import { path } from '../../../paths.ts'
import { CountsBar } from './CountsBar.tsx'
import type { PairsSubject } from './PairsDrawer.tsx'
import { SyncDevices, SyncPersons } from './SyncLists.tsx'
import { useResend } from './useResend.ts'
import { useSyncWatch } from './useSyncWatch.ts'

const PairsDrawer = lazy(() => import('./PairsDrawer.tsx'))

export default function SyncStatusPage() {
  const { t } = useTranslation('access')
  const { id = '' } = useParams()
  const [view, setView] = useSyncView()
  const names = useRead(accessCalls.allStrategies, {})
  const counts = useRead(synchronisationCalls.counts, { query: { strategyId: id } })
  const { resend, pending } = useResend()
  const [{ subject, used }, setDrawer] = useState<{ subject?: PairsSubject | undefined; used: boolean }>({ used: false })
  // A page that is left takes its drawer along.
  useEffect(() => () => setDrawer(({ used: before }) => ({ used: before })), [])
  const { syncing = 0, deleting = 0, failed = 0, overtime = 0 } = counts.data?.total ?? {}
  useSyncWatch(syncing + deleting > 0)

  const name = names.data?.find((strategy) => strategy.id === id)?.name ?? ''
  const List = view === 'persons' ? SyncPersons : SyncDevices
  return (
    <Screen
      title={t('syncStatus.title')}
      note={<Link to={`${path('passStrategyDetail')}?id=${encodeURIComponent(id)}`}>{name}</Link>}
      actions={
        <>
          <Segmented
            aria-label={t('view')}
            value={view}
            onChange={setView}
            options={[{ value: 'devices', label: t('syncStatus.byDevice') }, { value: 'persons', label: t('syncStatus.byPerson') }]}
          />
          <Button type="primary" icon={<RedoOutlined />} disabled={failed + overtime === 0} loading={pending} onClick={() => resend({ strategyId: id })}>{t('syncStatus.resendAll')}</Button>
        </>
      }
    >
      <DetailPage query={counts}>
        {({ total }) => (
          <>
            <section aria-label={t('syncStatus.summary')}><CountsBar counts={total} large /></section>
            <List strategyId={id} open={(opened) => setDrawer({ subject: opened, used: true })} />
          </>
        )}
      </DetailPage>
      <Suspense fallback={null}>{used && <PairsDrawer subject={subject} close={() => setDrawer({ used: true })} />}</Suspense>
    </Screen>
  )
}

type View = 'devices' | 'persons'

/** Which list is shown. It stands in the address beside the list's filters, which know nothing of it; another list begins without any. */
function useSyncView(): [View, (view: View) => void] {
  const [search, setSearch] = useSearchParams()
  const inAddress: View = search.get('view') === 'persons' ? 'persons' : 'devices'
  const [view, setView] = useState(inAddress)
  useEffect(() => {
    if (view === inAddress) return
    setSearch((before) => {
      const next = new URLSearchParams(before)
      if (view === 'persons') next.set('view', view)
      else next.delete('view')
      return next
    }, { replace: true })
  }, [view, inAddress, setSearch])
  return [view, (next) => {
    setView(next)
    setSearch(new URLSearchParams(next === 'persons' ? { view: next } : undefined), { replace: true })
  }]
}
