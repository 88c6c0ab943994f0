/** Chooses the card machine or collector beside this browser; the one chosen is offered again to the same user in the same park. */
import { Select } from 'antd'
import { useTranslation } from 'react-i18next'
import { cardCalls } from '@gatehouse/contract/cards/calls'
import { deviceOnlineStatus } from '@gatehouse/contract/enums/devices'
import { chooseDeviceHere, deviceHere } from '../../shared/deviceHere.ts'
import { useRead } from '../../api/query.ts'

interface CollectorFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string | null
  onChange?: (id: string) => void
}

/** What a form starts from. */
export const collectorHere = (): string | undefined => deviceHere('defaultCollector')

export function CollectorField({ id, value, onChange }: CollectorFieldProps) {
  const { t } = useTranslation('cards')
  const devices = useRead(cardCalls.devices, {})
  const options = (devices.data ?? []).map((device) => ({
    value: device.id,
    label: device.onlineStatus === deviceOnlineStatus.offline ? t('collector.offline', { name: device.name }) : device.name,
  }))
  // One that was removed since is no choice any more.
  const chosen = options.some((option) => option.value === value) ? value : undefined
  return (
    <Select<string>
      {...(id && { id })}
      value={chosen ?? null}
      options={options}
      loading={devices.isPending}
      placeholder={t('collector.choose')}
      notFoundContent={devices.isPending ? null : t('collector.none')}
      onChange={(next) => {
        chooseDeviceHere('defaultCollector', next)
        onChange?.(next)
      }}
    />
  )
}
