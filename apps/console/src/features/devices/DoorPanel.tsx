/** The door of a device, large: three buttons, in which state it is, and what it answered. */
import { LoadingOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import type { Device } from '@gatehouse/contract/devices/calls'
import { doorOperation, doorState } from '@gatehouse/contract/enums/devices'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { EnumTag, StatusTag, useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { useMayCall } from '../../api/session.ts'
import { useDoorsLive } from '../doors/index.ts'
import { useDoor, type Door, type DoorAnswer } from './useDoor.ts'
import styles from './devices.module.css'

export function DoorPanel({ device }: { device: Device }) {
  const label = useEnumLabel()
  useDoorsLive()
  const door = useDoor(device)
  const { answer, hindrance, operate } = door
  const mayControl = useMayCall(doorCalls.controlDoor)
  const asking = answer.step === 'asking' ? answer.operation : undefined
  return (
    <div className={styles.door}>
      {mayControl && (
        <div>
          {doorOperation.values.map((operation) => (
            <Button
              key={operation}
              size="large"
              type={operation === doorOperation.open ? 'primary' : 'default'}
              disabled={hindrance !== undefined || (asking !== undefined && asking !== operation)}
              loading={asking === operation}
              onClick={() => operate(operation)}
            >
              {label(doorOperation, operation)}
            </Button>
          ))}
        </div>
      )}
      <p role="status">{answer.step === 'idle' ? (hindrance ?? <State door={door} />) : <Answer answer={answer} />}</p>
    </div>
  )
}

/** As everybody sees it: also what somebody else has just done. */
function State({ door: { state, heldBy } }: { door: Door }) {
  const { t } = useTranslation('doors')
  return (
    <>
      <EnumTag of={doorState} value={state ?? doorState.closed} />
      {heldBy !== undefined && (
        <>
          {' '}
          <StatusTag status="bad">{t('heldBy', { name: heldBy })}</StatusTag>
        </>
      )}
    </>
  )
}

function Answer({ answer }: { answer: Exclude<DoorAnswer, { step: 'idle' }> }) {
  if (answer.step === 'asking')
    return (
      <>
        <LoadingOutlined /> {answer.words}
      </>
    )
  const held = answer.operation === doorOperation.normallyOpen
  return <StatusTag status={answer.step === 'failed' ? 'bad' : held ? 'wait' : 'ok'}>{answer.words}</StatusTag>
}
