/** Opens a door from a row of the list; the button itself tells how it went. Holding open and closing wait behind it. */
import { CheckOutlined, CloseOutlined, DownOutlined, UnlockOutlined } from '@ant-design/icons'
import { Button, Dropdown, Space } from 'antd'
import { useTranslation } from 'react-i18next'
import type { Device } from '@gatehouse/contract/devices/calls'
import { doorOperation } from '@gatehouse/contract/enums/devices'
import { useEnumLabel } from '../../kit/EnumTag.tsx'
import { toast } from '../../kit/feedback.tsx'
import { useDoor } from './useDoor.ts'
import styles from './devices.module.css'

const ICONS = { idle: <UnlockOutlined />, asking: undefined, done: <CheckOutlined />, failed: <CloseOutlined /> }

export function DoorButton({ device }: { device: Device }) {
  const { t } = useTranslation('devices')
  const label = useEnumLabel()
  const { answer, hindrance, operate } = useDoor(device, (words) => toast('error', t('doorFailed', { name: device.name, words })))
  if (hindrance) return <span className={styles.hint} title={hindrance}>{t('doorUnavailable')}</span>

  const { step } = answer
  const words = step === 'idle' ? label(doorOperation, doorOperation.open) : step === 'failed' ? t('failed') : answer.words
  const rest = [doorOperation.normallyOpen, doorOperation.close]
  return (
    <Space.Compact size="small" className={styles.doorButton}>
      <Button
        data-step={step}
        title={step === 'idle' ? t('openDoorOf', { name: device.name }) : answer.words}
        aria-label={step === 'idle' ? t('openDoorOf', { name: device.name }) : undefined}
        icon={ICONS[step]}
        loading={step === 'asking'}
        onClick={() => operate(doorOperation.open)}
      >
        <span aria-live="polite">{words}</span>
      </Button>
      <Dropdown trigger={['click']} placement="bottomRight" menu={{ items: rest.map((key) => ({ key, label: label(doorOperation, key), onClick: () => operate(key) })) }}>
        <Button icon={<DownOutlined />} disabled={step === 'asking'} aria-label={t('moreDoorOf', { name: device.name })} />
      </Dropdown>
    </Space.Compact>
  )
}
