/** Tools for many devices at once, behind one button of the device list: logs, remote openings, and settings of both. */
import { DownOutlined, ToolOutlined } from '@ant-design/icons'
import { Button, Dropdown, type MenuProps } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { endKey } from '../../kit/menuKeys.ts'
import { useMay } from '../../api/session.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { DoorRequestsDrawer, DoorSettingDialog, useDoorsLive } from '../doors/index.ts'

const OfflineLogDialog = lazy(() => import('./OfflineLogDialog.tsx'))
const DeviceLogsDialog = lazy(() => import('./DeviceLogsDialog.tsx'))
const ThresholdDialog = lazy(() => import('./ThresholdDialog.tsx'))

type Tools = NonNullable<MenuProps['items']>

/** @param also tools that the list adds for all of its devices */
export function DeviceTools({ also }: { also: Tools }) {
  const { t } = useTranslation('maintenance')
  useDoorsLive()
  const maySet = useMay('device.setting')
  const [requests, offline, logs, doors, thresholds] = [
    useEditor<never>(),
    useEditor<never>(),
    useEditor<never>(),
    useEditor<never>(),
    useEditor<never>(),
  ]
  const items: Tools = [
    { key: 'requests', label: t('tools.requests'), onClick: requests.add },
    { key: 'offline', label: t('offline.title'), onClick: offline.add },
    { key: 'logs', label: t('logs.title'), onClick: logs.add },
    { type: 'divider' },
    ...also,
    ...(maySet
      ? [
          { key: 'doors', label: t('tools.doors'), onClick: doors.add },
          { key: 'thresholds', label: t('thresholds.title'), onClick: thresholds.add },
        ]
      : []),
  ]
  return (
    <>
      <Dropdown trigger={['click']} placement="bottomRight" menu={{ items, onClick: endKey }}>
        <Button icon={<ToolOutlined />}>
          {t('tools.title')} <DownOutlined />
        </Button>
      </Dropdown>
      <Suspense fallback={null}>
        {requests.openingCount > 0 && <DoorRequestsDrawer open={requests.open} close={requests.close} />}
        {offline.openingCount > 0 && <OfflineLogDialog key={`offline ${offline.openingCount}`} open={offline.open} close={offline.close} />}
        {logs.openingCount > 0 && <DeviceLogsDialog key={`logs ${logs.openingCount}`} open={logs.open} close={logs.close} />}
        {doors.openingCount > 0 && <DoorSettingDialog key={`doors ${doors.openingCount}`} editor={doors} />}
        {thresholds.openingCount > 0 && <ThresholdDialog key={`thresholds ${thresholds.openingCount}`} editor={thresholds} />}
      </Suspense>
    </>
  )
}
