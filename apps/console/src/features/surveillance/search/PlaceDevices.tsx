/** The button that opens the placing of devices on the plan, for users who may. */
import { PushpinOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import { useMayCall } from '../../../api/session.ts'

const PlacesDialog = lazy(() => import('./PlacesDialog.tsx'))

/** @param devices that are offered first */
export function PlaceDevices({ devices }: { devices?: readonly { id: string; name: string }[] }) {
  const { t } = useTranslation('surveillance')
  const mayPlace = useMayCall(faceSearchCalls.savePositions)
  const maySee = useMayCall(faceSearchCalls.positions)
  const [opening, setOpening] = useState({ count: 0, open: false })
  if (!mayPlace || !maySee) return null
  return (
    <>
      <Button icon={<PushpinOutlined />} onClick={() => setOpening(({ count }) => ({ count: count + 1, open: true }))}>
        {t('track.placing.open')}
      </Button>
      <Suspense fallback={null}>
        {opening.count > 0 && (
          <PlacesDialog
            key={opening.count}
            open={opening.open}
            close={() => setOpening(({ count }) => ({ count, open: false }))}
            first={devices ?? []}
          />
        )}
      </Suspense>
    </>
  )
}
