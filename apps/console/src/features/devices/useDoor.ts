/** Remote control of one door: asked, answered, or refused, always in words. */
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deviceCalls, type Device } from '@gatehouse/contract/devices/calls'
import { deviceModel, deviceOnlineStatus, doorControlErrorType, doorOperation, doorState } from '@gatehouse/contract/enums/devices'
import { useEnumLabel } from '../../kit/EnumTag.tsx'
import { sentenceOf } from '../../kit/refusal.ts'
import { request } from '../../kit/request.ts'

export type DoorOperation = (typeof doorOperation.values)[number]

export type DoorAnswer =
  | { step: 'idle' }
  | { step: 'asking'; operation: DoorOperation; words: string }
  | { step: 'done'; operation: DoorOperation; words: string }
  /** `words` say why. */
  | { step: 'failed'; operation: DoorOperation; words: string }

/** What a door is called while it is asked, and once it has obeyed. */
const STATES: Record<DoorOperation, { asking: string; done: string }> = {
  [doorOperation.open]: { asking: doorState.opening, done: doorState.opened },
  [doorOperation.normallyOpen]: { asking: doorState.alwaysOpening, done: doorState.alwaysOpen },
  [doorOperation.close]: { asking: doorState.closing, done: doorState.closed },
}
/** How long an answer stays, in milliseconds; a door held open says so until it is told otherwise. */
const STAYS = { done: 6000, failed: 20_000 }

export interface Door {
  answer: DoorAnswer
  /** Why it cannot be controlled from here now; undefined where it can. */
  hindrance: string | undefined
  operate: (operation: DoorOperation) => void
}

/** @param onFailed told why an operation failed, beside the answer */
export function useDoor({ id, onlineStatus, model }: Device, onFailed?: (words: string) => void): Door {
  const { t } = useTranslation('devices')
  const label = useEnumLabel()
  const [answer, setAnswer] = useState<DoorAnswer>({ step: 'idle' })
  const latest = useRef(0)
  const held = answer.step === 'done' && answer.operation === doorOperation.normallyOpen

  useEffect(() => {
    if (answer.step === 'idle' || answer.step === 'asking' || held) return
    const timer = setTimeout(() => setAnswer({ step: 'idle' }), STAYS[answer.step])
    return () => clearTimeout(timer)
  }, [answer, held])

  async function operate(operation: DoorOperation): Promise<void> {
    const round = ++latest.current
    const settle = (next: DoorAnswer): void => { if (round === latest.current) setAnswer(next) }
    const fail = (words: string): void => {
      settle({ step: 'failed', operation, words })
      onFailed?.(words)
    }
    setAnswer({ step: 'asking', operation, words: label(doorState, STATES[operation].asking) })
    try {
      const { isSuccess, errorType } = await request(deviceCalls.controlDoor, { body: { deviceId: id, operateType: operation } }, { errors: 'inline' })
      if (isSuccess) settle({ step: 'done', operation, words: label(doorState, STATES[operation].done) })
      else fail(label(doorControlErrorType, errorType ?? doorControlErrorType.error))
    } catch (error) {
      fail(sentenceOf(error))
    }
  }

  const reason = onlineStatus === deviceOnlineStatus.offline ? 'doorOffline' : model === deviceModel.android ? 'doorAndroid' : undefined
  return { answer, hindrance: reason && t(reason), operate: (operation) => void operate(operation) }
}
