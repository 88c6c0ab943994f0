/** Opens the door that was chosen, after asking; says how it went. */
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '@gatehouse/contract/devices/calls'
import { doorOperation } from '@gatehouse/contract/enums/devices'
import { useDoor } from '../../features/devices/index.ts'
import { toast } from '../../kit/feedback.tsx'
import { doorAnswered } from './paletteState.ts'

export function DoorOpening({ device }: { device: Device }) {
  const { t } = useTranslation('doors')
  const { name } = device
  const { answer, operate } = useDoor(device, { onFailed: (words) => toast('error', t('failedAt', { name, words })), asksAlways: true })
  const begun = useRef(false)
  useEffect(() => {
    if (begun.current) return
    begun.current = true
    operate(doorOperation.open)
  }, [operate])
  const { step } = answer
  const words = step === 'done' ? answer.words : ''
  useEffect(() => {
    if (step === 'done') toast('success', t('failedAt', { name, words }))
    if (step === 'done' || step === 'failed') doorAnswered()
  }, [step, words, name, t])
  return null
}
