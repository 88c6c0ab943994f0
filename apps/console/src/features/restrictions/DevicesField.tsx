/** Chooses doors of an area; each says whether it leads in or out. Its value is the ids of their devices. */
import { useTranslation } from 'react-i18next'
import { passDirection } from '@gatehouse/contract/enums/devices'
import type { RestrictionArea } from '@gatehouse/contract/restrictions/calls'
import { DoorsField } from '../../shared/DoorsField.tsx'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'

interface DevicesFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string[]
  onChange?: (ids: string[]) => void
  /** Those chosen already. */
  known?: RestrictionArea['devices'] | undefined
  /** Only devices of this direction are offered. */
  direction?: number
}

export function DevicesField({ direction, ...field }: DevicesFieldProps) {
  const { t } = useTranslation('restrictions')
  const label = useEnumLabel()
  return (
    <DoorsField
      {...field}
      placeholder={t('chooseDoors')}
      offers={(device) => direction === undefined || device.direction === direction}
      labelOf={(door) => t('doorWithDirection', { name: door.name, direction: label(passDirection, door.direction) })}
    />
  )
}
