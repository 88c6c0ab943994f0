/** The button on a device's page that opens its persons: first those who failed, where there are any. */
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { synchronisationCalls, type SyncCounts } from '@gatehouse/contract/synchronisation/calls'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import { useRead } from '../../api/query.ts'
import { useSyncWatch } from './useSyncWatch.ts'

const PairsDrawer = lazy(() => import('./PairsDrawer.tsx'))

/** Shown to users who may see rules. @param name name of the device */
export function DeviceSync({ deviceId, name }: { deviceId: string; name: string }) {
  const { t } = useTranslation('synchronisation')
  const counts = useRead(synchronisationCalls.counts, { query: { deviceIds: [deviceId] } })
  const [{ open, used }, setDrawer] = useState({ open: false, used: false })
  const total = counts.data?.total
  useSyncWatch(total !== undefined && total.syncing + total.deleting > 0)
  if (total === undefined) return null
  function mostUrgent({ failed, photoMissing }: SyncCounts): [status: number | undefined, words: string] {
    if (failed > 0) return [personSyncStatus.failed, t('showFailed', { count: failed })]
    if (photoMissing > 0) return [personSyncStatus.photoMissing, t('showPhotoMissing', { count: photoMissing })]
    return [undefined, t('showPersons')]
  }
  const [status, words] = mostUrgent(total)
  return (
    <>
      <p>
        <Button type="link" style={{ paddingInline: 0 }} onClick={() => setDrawer({ open: true, used: true })}>
          {words}
        </Button>
      </p>
      <Suspense fallback={null}>
        {used && (
          <PairsDrawer
            subject={open ? { of: { deviceId }, name, status } : undefined}
            close={() => setDrawer({ open: false, used: true })}
          />
        )}
      </Suspense>
    </>
  )
}
