/** How a device said who it is when it last paired. */
import { useTranslation } from 'react-i18next'
import type { Device } from '@gatehouse/contract/devices/calls'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import type { Status } from '../../theme/tokens.ts'

const STATUS_OF: Record<NonNullable<Device['signedInBy']>, Status> = { proof: 'ok', secret: 'wait' }

export function SignedInBy({ way }: { way: Device['signedInBy'] }) {
  const { t } = useTranslation('devices')
  return way === null ? <>{t('signIn.by.notYet')}</> : <StatusTag status={STATUS_OF[way]}>{t(`signIn.by.${way}`)}</StatusTag>
}
