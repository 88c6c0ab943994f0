/** The door of a device, large: three buttons, and what it answered. */
import { LoadingOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import type { Device } from '@gatehouse/contract/devices/calls'
import { doorOperation } from '@gatehouse/contract/enums/devices'
import { StatusTag, useEnumLabel } from '../../kit/EnumTag.tsx'
import { useDoor, type DoorAnswer } from './useDoor.ts'
import styles from './devices.module.css'

export function DoorPanel({ device }: { device: Device }) {
  const label = useEnumLabel()
  const { answer, hindrance, operate } = useDoor(device)
  const asking = answer.step === 'asking' ? answer.operation : undefined
  return (
    <div className={styles.door}>
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
      <p role="status">{answer.step === 'idle' ? hindrance : <Answer answer={answer} />}</p>
    </div>
  )
}

function Answer({ answer }: { answer: Exclude<DoorAnswer, { step: 'idle' }> }) {
  if (answer.step === 'asking') return <><LoadingOutlined /> {answer.words}</>
  const held = answer.operation === doorOperation.normallyOpen
  return <StatusTag status={answer.step === 'failed' ? 'bad' : held ? 'wait' : 'ok'}>{answer.words}</StatusTag>
}
