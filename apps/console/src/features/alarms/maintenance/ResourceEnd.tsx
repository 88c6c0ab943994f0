/** When a device had enough again: what lasts is marked. It says nothing of the handling. */
import { useTranslation } from 'react-i18next'
import type { MaintenanceAlarm } from '@gatehouse/contract/alarms/maintenance-alarms'
import { StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'

export function ResourceEnd({ alarm: { clearedAt } }: { alarm: Pick<MaintenanceAlarm, 'clearedAt'> }) {
  const { t } = useTranslation('alarms')
  return clearedAt === null ? <StatusTag status="bad">{t('lasts')}</StatusTag> : <RelativeTime at={clearedAt} />
}
