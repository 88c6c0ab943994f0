/** Requested logs of devices: their progress, their files, and a new attempt where one failed. */
import { DownloadOutlined, FileTextOutlined, RedoOutlined } from '@ant-design/icons'
import { Button, Modal } from 'antd'
import { useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { DEVICE_LOG_KEPT } from '@gatehouse/contract'
import { maintenanceCalls, type DeviceLog } from '@gatehouse/contract/maintenance/calls'
import { exportStatus } from '@gatehouse/contract/enums/common'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { EnumTag } from '../../kit/detail/EnumTag.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { DateOnly, RelativeTime } from '../../kit/detail/RelativeTime.tsx'
import { request } from '../../api/request.ts'
import { saveFile } from '../../api/saveFile.ts'
import { useMayCall } from '../../api/session.ts'
import { shownName } from '../../kit/shownName.ts'
import { useLocalList } from '../../kit/list/useLocalList.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { useDoorWords } from '../doors/index.ts'
import styles from './maintenance.module.css'

/** Milliseconds between two readings of the list while a device sends its log. */
const AGAIN = 2000
const UNDER_WAY: readonly number[] = [exportStatus.waiting, exportStatus.exporting]

interface DeviceLogsDialogProps {
  open: boolean
  close: () => void
  /** Absent: all devices. */
  device?: { id: string; name: string }
}

export default function DeviceLogsDialog({ open, close, device }: DeviceLogsDialogProps) {
  const { t } = useTranslation('maintenance')
  return (
    <Modal
      open={open}
      centered
      width={920}
      title={device ? t('logs.of', { name: device.name }) : t('logs.title')}
      destroyOnHidden
      onCancel={close}
      footer={null}
      styles={{ body: { minHeight: 320 } }}
    >
      <Logs deviceId={device?.id} />
    </Modal>
  )
}

function Logs({ deviceId }: { deviceId: string | undefined }) {
  const { t } = useTranslation('maintenance')
  const list = useLocalList(maintenanceCalls.logs, { name: 'deviceLogs', ...(deviceId !== undefined && { fixed: { deviceId } }) })
  const columns = useColumns(deviceId !== undefined)
  const ask = useWrite(maintenanceCalls.requestLog)
  const again = useWrite(maintenanceCalls.retryLog)
  const mayAsk = useMayCall(maintenanceCalls.requestLog)
  const isUnderWay = list.rows.some(({ status }) => UNDER_WAY.includes(status))
  const look = useEffectEvent(() => list.retry())
  useEffect(() => {
    if (!isUnderWay) return
    const timer = setInterval(() => look(), AGAIN)
    return () => clearInterval(timer)
  }, [isUnderWay])
  return (
    <>
      <p className={styles.words}>{t('logs.words', { count: DEVICE_LOG_KEPT })}</p>
      {mayAsk && deviceId !== undefined && (
        <div className={styles.filters}>
          <Button
            type="primary"
            icon={<FileTextOutlined />}
            loading={ask.pending}
            disabled={isUnderWay}
            onClick={() => ask.run({ query: { deviceId } })}
          >
            {t('logs.ask')}
          </Button>
        </div>
      )}
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t(deviceId === undefined ? 'logs.noneYet' : 'logs.none') }}
        actions={({ id, can, deviceName }) =>
          can.download ? (
            <Button
              type="text"
              icon={<DownloadOutlined />}
              aria-label={t('logs.download', { name: deviceName })}
              onClick={() => void request(maintenanceCalls.logFile, { params: { id } }).then(saveFile, () => {})}
            />
          ) : (
            mayAsk &&
            can.retry && (
              <Button
                type="text"
                icon={<RedoOutlined />}
                aria-label={t('logs.again', { name: deviceName })}
                onClick={() => again.run({ params: { id } })}
              />
            )
          )
        }
      />
    </>
  )
}

function useColumns(ofOne: boolean): TableColumn<DeviceLog>[] {
  const { t } = useTranslation('maintenance')
  const why = useDoorWords()
  const columns = columnsOf<DeviceLog>([
    { field: 'deviceName', title: t('device'), width: 160, visibility: 'always' },
    { field: 'time', title: t('logs.time'), width: 120, visibility: 'always', render: ({ time }) => <RelativeTime at={time} /> },
    { field: 'operator', title: t('logs.operator'), width: 140, render: ({ operator }) => shownName(operator) },
    {
      field: 'status',
      title: t('logs.status'),
      width: 190,
      visibility: 'always',
      render: ({ status, errorType }) => (
        <span className={styles.two}>
          <span>
            <EnumTag of={exportStatus} value={status} />
          </span>
          {errorType !== null && <small title={why(errorType)}>{why(errorType)}</small>}
        </span>
      ),
    },
    {
      field: 'size',
      title: t('logs.size'),
      width: 90,
      render: ({ size }) => size > 0 && t('logs.kilobytes', { count: Math.ceil(size / 1024) }),
    },
    {
      field: 'keptUntil',
      title: t('logs.keptUntil'),
      width: 120,
      render: ({ keptUntil }) => keptUntil !== null && <DateOnly at={keptUntil} />,
    },
  ])
  return ofOne ? columns.filter(({ key }) => key !== 'deviceName') : columns
}
