/** When an event at a door was over: a momentary one was at once, and one that lasts is marked. */
import { useTranslation } from 'react-i18next'
import type { DeviceEvent } from '@gatehouse/contract/alarms/device-events'
import { StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'

export function EventEnd({ event: { alertTime, endedAt } }: { event: Pick<DeviceEvent, 'alertTime' | 'endedAt'> }) {
  const { t } = useTranslation('alarms')
  if (endedAt === null) return <StatusTag status="bad">{t('lasts')}</StatusTag>
  return endedAt === alertTime ? <>{t('momentary')}</> : <RelativeTime at={endedAt} />
}
