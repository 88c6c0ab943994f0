/** Times at which devices went offline and came back, for one device or all devices of the park. */
import { Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { maintenanceCalls, type DeviceAbsence } from '@gatehouse/contract/maintenance/calls'
import { columnsOf, type TableColumn } from '../../kit/list/columns.tsx'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import { RangeField } from '../../kit/list/RangeField.tsx'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import { useLocalList } from '../../kit/list/useLocalList.ts'
import styles from './maintenance.module.css'

interface OfflineLogDialogProps {
  open: boolean
  close: () => void
  /** Absent: all devices. */
  device?: { id: string; name: string }
}

export default function OfflineLogDialog({ open, close, device }: OfflineLogDialogProps) {
  const { t } = useTranslation('maintenance')
  return (
    <Modal
      open={open}
      centered
      width={820}
      title={device ? t('offline.of', { name: device.name }) : t('offline.title')}
      destroyOnHidden
      onCancel={close}
      footer={null}
      styles={{ body: { minHeight: 320 } }}
    >
      <Absences deviceId={device?.id} />
    </Modal>
  )
}

function Absences({ deviceId }: { deviceId: string | undefined }) {
  const { t } = useTranslation('maintenance')
  const list = useLocalList(maintenanceCalls.offline, { name: 'deviceAbsences', ...(deviceId !== undefined && { fixed: { deviceId } }) })
  const columns = useColumns(deviceId !== undefined)
  return (
    <>
      <div className={styles.filters}>
        <RangeField unset="any" value={list.query} onChange={list.setQuery} />
      </div>
      <ListTable list={list} columns={columns} empty={{ title: t('offline.none') }} />
    </>
  )
}

function useColumns(ofOne: boolean): TableColumn<DeviceAbsence>[] {
  const { t } = useTranslation('maintenance')
  const { offset } = useZoneOffset()
  const duration = useDuration()
  const columns = columnsOf<DeviceAbsence>([
    { field: 'deviceName', title: t('device'), width: 180, visibility: 'always' },
    { field: 'since', title: t('offline.since'), width: 180, visibility: 'always', render: ({ since }) => formatInstant(since, offset) },
    {
      field: 'until',
      title: t('offline.until'),
      width: 180,
      visibility: 'always',
      render: ({ until }) => (until === null ? <StatusTag status="bad">{t('offline.still')}</StatusTag> : formatInstant(until, offset)),
    },
    {
      field: 'id',
      title: t('offline.duration'),
      width: 150,
      visibility: 'always',
      render: ({ since, until }) => duration((until ?? Date.now()) - since),
    },
  ])
  return ofOne ? columns.filter(({ key }) => key !== 'deviceName') : columns
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * Return a function that puts a number of milliseconds in words: the two largest units, or seconds below a minute.
 */
function useDuration(): (milliseconds: number) => string {
  const { t } = useTranslation('maintenance')
  return (milliseconds) => {
    const [days, hours, minutes] = [
      Math.floor(milliseconds / DAY),
      Math.floor((milliseconds % DAY) / HOUR),
      Math.floor((milliseconds % HOUR) / MINUTE),
    ]
    if (days > 0) return t('duration.days', { days, hours })
    if (hours > 0) return t('duration.hours', { hours, minutes })
    const seconds = Math.max(0, Math.floor((milliseconds % MINUTE) / 1000))
    return minutes > 0 ? t('duration.minutes', { minutes, seconds }) : t('duration.seconds', { seconds })
  }
}
