/** The button that opens a door from a row of the list, and shows the outcome. Its menu holds the door open or closes it. */
import { CheckOutlined, CloseOutlined, DownOutlined, LockOutlined, UnlockOutlined } from '@ant-design/icons'
import { Button, Dropdown, Space } from 'antd'
import { useTranslation } from 'react-i18next'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { Device } from '@gatehouse/contract/devices/device'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { doorOperation, doorState } from '@gatehouse/contract/enums/devices'
import { EnumTag, useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { toast } from '../../kit/feedback.tsx'
import { useMayCall } from '../../api/session.ts'
import { useRead } from '../../api/query.ts'
import { useDoor, type Door } from './useDoor.ts'
import styles from './devices.module.css'

const ICONS = { asking: undefined, done: <CheckOutlined />, failed: <CloseOutlined /> }

export function DoorButton({ device }: { device: Device }) {
  const { t } = useTranslation('doors')
  const label = useEnumLabel()
  const door = useDoor(device, { onFailed: (words) => toast('error', t('failedAt', { name: device.name, words })) })
  const { answer, hindrance, controlledBy, operate } = door
  const words = useWords(door)
  const mayControl = useMayCall(doorCalls.controlDoor)
  if (hindrance)
    return (
      <span className={styles.hint} title={hindrance}>
        {t('unavailable')}
      </span>
    )

  if (!mayControl) return <EnumTag of={doorState} value={door.state ?? doorState.closed} />

  const { step } = answer
  const otherOperations = [doorOperation.normallyOpen, doorOperation.close]
  const ownName =
    step === 'idle'
      ? controlledBy === undefined
        ? t('openDoorOf', { name: device.name })
        : t('heldBy', { name: controlledBy })
      : answer.words
  // Voice control finds a button by its visible text, so the text is part of the name.
  const spoken = t(words === label(doorOperation, doorOperation.open) ? 'openDoorOf' : 'openDoorSaying', { words, name: device.name })
  return (
    <Space.Compact size="small" className={styles.doorButton}>
      <Button
        data-step={step}
        title={ownName}
        aria-label={step === 'idle' ? spoken : undefined}
        icon={step === 'idle' ? controlledBy === undefined ? <UnlockOutlined /> : <LockOutlined /> : ICONS[step]}
        loading={step === 'asking'}
        onClick={() => operate(doorOperation.open)}
      >
        <span aria-live="polite">{words}</span>
      </Button>
      <Dropdown
        trigger={['click']}
        placement="bottomRight"
        menu={{ items: otherOperations.map((key) => ({ key, label: label(doorOperation, key), onClick: () => operate(key) })) }}
      >
        <Button icon={<DownOutlined />} disabled={step === 'asking'} aria-label={t('moreDoorOf', { name: device.name })} />
      </Dropdown>
    </Space.Compact>
  )
}

/** Return the text of the button: the outcome, the user in control, the state of the door, or the operation. */
function useWords({ answer, state, controlledBy }: Door): string {
  const { t } = useTranslation('doors')
  const label = useEnumLabel()
  if (answer.step === 'failed') return answer.state === doorState.busy ? t('busy') : t('failed')
  if (answer.step !== 'idle') return answer.words
  if (controlledBy !== undefined) return t('busy')
  return state === undefined || state === doorState.closed ? label(doorOperation, doorOperation.open) : label(doorState, state)
}

/** The control of a door by the id of its device, for example of a record. */
export default function DoorOf({ deviceId }: { deviceId: string }) {
  const device = useRead(deviceCalls.read, { params: { id: deviceId } })
  return device.data ? <DoorButton device={device.data} /> : null
}
