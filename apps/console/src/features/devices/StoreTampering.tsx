/** What a device found changed by others in what it keeps, and when. */
import { useTranslation } from 'react-i18next'
import type { Device } from '@gatehouse/contract/devices/calls'
import { isTamperingRecent } from '@gatehouse/contract/devices/tampering'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import { clockOrDate, useZoneOffset } from '../../kit/time.ts'

export function StoreTampering({ found }: { found: Device['storeTampering'] }) {
  const { t } = useTranslation('devices')
  const { offset } = useZoneOffset()
  if (found === null) return <>{t('storeTampering.never')}</>
  const { at, persons, rules } = found
  const now = Date.now()
  const what = rules ? (persons > 0 ? 'both' : 'rules') : persons > 0 ? 'persons' : 'file'
  return (
    <StatusTag status={isTamperingRecent(at, now) ? 'bad' : 'info'}>
      {t(`storeTampering.${what}`, { at: clockOrDate(at, now, offset), count: persons })}
    </StatusTag>
  )
}
