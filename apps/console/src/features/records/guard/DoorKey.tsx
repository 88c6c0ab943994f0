/** Opens the door of the passage on the stage: requested by a key, confirmed by another, with the result on the stage. */
import { CheckOutlined, CloseOutlined, LoadingOutlined, UnlockOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { Device } from '@gatehouse/contract/devices/device'
import { doorOperation } from '@gatehouse/contract/enums/devices'
import { useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { useRead } from '../../../api/query.ts'
import { ANSWER_STAYS, useDoor, type DoorAnswer } from '../../devices/index.ts'
import { useGuardKeys } from './controls.ts'
import styles from './guard.module.css'

/** Result of opening a door, with the name of its device. */
export interface Outcome {
  step: Exclude<DoorAnswer['step'], 'idle'>
  name: string
  words: string
}

interface DoorKeyProps {
  deviceId: string
  /** Keeps the passage on the stage while a question is open. */
  hold: () => void
  release: () => void
  settle: (outcome: Outcome) => void
}

export function DoorKey({ deviceId, ...rest }: DoorKeyProps) {
  const device = useRead(deviceCalls.read, { params: { id: deviceId } })
  return device.data ? <Key device={device.data} {...rest} /> : null
}

function Key({ device, hold, release, settle }: Omit<DoorKeyProps, 'deviceId'> & { device: Device }) {
  const { t } = useTranslation('doors')
  const label = useEnumLabel()
  const { name } = device
  const { answer, hindrance, controlledBy, operate } = useDoor(device, { asksAlways: true, onDeclined: release })
  const { step } = answer
  const words = step === 'idle' ? '' : answer.words
  const report = useEffectEvent((): void => {
    if (step !== 'idle') settle({ step, name, words })
    if (step === 'done' || step === 'failed') release()
  })
  useEffect(() => report(), [step, words])
  const open = (): void => {
    if (step === 'asking') return
    hold()
    operate(doorOperation.open)
  }
  useGuardKeys({ ...(hindrance === undefined && { door: open }) })
  return (
    <p className={styles.door}>
      <Button size="large" icon={<UnlockOutlined />} disabled={hindrance !== undefined} loading={step === 'asking'} onClick={open}>
        {label(doorOperation, doorOperation.open)} <kbd aria-hidden="true">O</kbd>
      </Button>
      {(hindrance ?? controlledBy) && <small>{hindrance ?? t('heldBy', { name: controlledBy })}</small>}
    </p>
  )
}

/** Return the result for the door that was opened last, for as long as it is news, and its setter. */
export function useOutcome(): [Outcome | undefined, (outcome: Outcome | undefined) => void] {
  const [outcome, setOutcome] = useState<Outcome>()
  useEffect(() => {
    if (outcome === undefined || outcome.step === 'asking') return
    const timer = setTimeout(() => setOutcome(undefined), ANSWER_STAYS[outcome.step])
    return () => clearTimeout(timer)
  }, [outcome])
  return [outcome, setOutcome]
}

/** The result, below the band, whichever passage is shown by then. */
export function DoorOutcome({ outcome }: { outcome: Outcome | undefined }) {
  const { t } = useTranslation('doors')
  const icons = { asking: <LoadingOutlined />, done: <CheckOutlined />, failed: <CloseOutlined /> }
  return (
    <p className={styles.doorSaid} data-step={outcome?.step} role="status">
      {outcome && (
        <>
          {icons[outcome.step]} {t('failedAt', { name: outcome.name, words: outcome.words })}
        </>
      )}
    </p>
  )
}
