/** All about one maintenance alarm: how much is in use, since when, whether it lasts, and how it was handled. */
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { MaintenanceAlarm } from '@gatehouse/contract/alarms/maintenance-alarms'
import { alarmHandlingStatusAlt } from '@gatehouse/contract/enums/alarms'
import { Facts } from '../../../kit/detail/DetailPage.tsx'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import { AlarmSteps, stepsOf } from '../list/AlarmSteps.tsx'
import { DeviceLink } from '../list/DeviceLink.tsx'
import { ResourceEnd } from './ResourceEnd.tsx'

export function MaintenanceDetail({ alarm }: { alarm: MaintenanceAlarm }) {
  const { t } = useTranslation('alarms')
  const { offset } = useZoneOffset()
  const { alertType, usagePercent, threshold, deviceCode, checkTime, escalatedAt } = alarm
  const facts: [string, ReactNode][] = [
    [t('device'), <DeviceLink key="device" row={alarm} />],
    [t('deviceCode'), deviceCode],
    [t('resource.what'), t('resource.usage', { what: t(`resource.${alertType}`), value: Math.round(usagePercent), threshold })],
    [t('time'), formatInstant(checkTime, offset)],
    [t('endedAt'), <ResourceEnd key="end" alarm={alarm} />],
    ...(escalatedAt === null ? [] : ([[t('escalatedAt'), formatInstant(escalatedAt, offset)]] as [string, ReactNode][])),
  ]
  return (
    <>
      <Facts facts={facts} />
      <AlarmSteps steps={stepsOf(alarm)} statuses={alarmHandlingStatusAlt} />
    </>
  )
}
