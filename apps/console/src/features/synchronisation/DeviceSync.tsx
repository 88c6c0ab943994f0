/** A way to the persons of one device, for its own page: those who failed first, where there are any. */
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { synchronisationCalls } from '@gatehouse/contract/synchronisation/calls'
import { personSyncStatus } from '@gatehouse/contract/enums/access'
import { useRead } from '../../api/query.ts'
import { useSyncWatch } from './useSyncWatch.ts'

const PairsDrawer = lazy(() => import('./PairsDrawer.tsx'))

/** For those who may see rules. @param name of the device */
export function DeviceSync({ deviceId, name }: { deviceId: string; name: string }) {
  const { t } = useTranslation('synchronisation')
  const counts = useRead(synchronisationCalls.counts, { query: { deviceIds: [deviceId] } })
  const [{ open, used }, setDrawer] = useState({ open: false, used: false })
  const total = counts.data?.total
  useSyncWatch(total !== undefined && total.syncing + total.deleting > 0)
  if (total === undefined) return null
  const [status, words] =
    total.failed > 0
      ? [personSyncStatus.failed, t('showFailed', { count: total.failed })]
      : total.photoMissing > 0
        ? [personSyncStatus.photoMissing, t('showPhotoMissing', { count: total.photoMissing })]
        : [undefined, t('showPersons')]
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
