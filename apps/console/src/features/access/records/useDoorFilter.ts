/** The filter of records by door. */
import { useTranslation } from 'react-i18next'
import { PAGE_SIZE_MAX } from '@gatehouse/contract'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { Filter } from '../../../kit/FilterBar.tsx'
import { useRead } from '../../../kit/query.ts'
import { useMay } from '../../../kit/session.ts'
import type { RecordQuery } from './recordFeed.ts'

/** Doors to choose from, for those who may see them. */
export function useDoorFilter(): Filter<RecordQuery>[] {
  const { t } = useTranslation('access')
  const devices = useRead(deviceCalls.list, { query: { size: PAGE_SIZE_MAX } }, { enabled: useMay('device.list') })
  return devices.data
    ? [{ field: 'deviceId', label: t('door'), options: devices.data.content.map(({ id, name }) => ({ value: id, label: name })) }]
    : []
}
