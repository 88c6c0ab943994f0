/** Remote control of one door: the operation under way, its outcome in words, and the state of the door. */
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '@gatehouse/contract/devices/device'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { doorStatesOf, type DoorState } from '@gatehouse/contract/doors/state'
import { code } from '@gatehouse/contract'
import { deviceModel, deviceOnlineStatus, doorControlErrorType, doorOperation, doorState } from '@gatehouse/contract/enums/devices'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { Refusal, sentenceOf } from '../../api/refusal.ts'
import { request } from '../../api/request.ts'
import { useDoorNow, useDoorWords, useOpeningQuestion } from '../doors/index.ts'

export type DoorOperation = (typeof doorOperation.values)[number]

export type DoorAnswer =
  | { step: 'idle' }
  | { step: 'asking'; operation: DoorOperation; words: string }
  | { step: 'done'; operation: DoorOperation; words: string }
  /** `words` are the reason; `state` is the state of the door, where it follows from the failure. */
  | { step: 'failed'; operation: DoorOperation; words: string; state: DoorState | undefined }

/** How long an answer stays, in milliseconds. The answer of a door that is held open stays until the next operation. */
export const ANSWER_STAYS = { done: 6000, failed: 20_000 }

export interface Door {
  answer: DoorAnswer
  /** Current state; undefined while the door is simply closed, or its state is unknown. */
  state: DoorState | undefined
  /** Name of another user who controls the door now. */
  controlledBy: string | undefined
  /** Why the door cannot be controlled now, in words; undefined where it can. */
  hindrance: string | undefined
  operate: (operation: DoorOperation) => void
}

interface DoorOptions {
  /** Called with the reason of a failure, besides the answer. */
  onFailed?: (words: string) => void
  /** Ask before the door is opened, whatever the park has set. */
  asksAlways?: boolean
  /** Called where the user declined. */
  onDeclined?: () => void
}

export function useDoor({ id, name, onlineStatus, model }: Device, { onFailed, asksAlways = false, onDeclined }: DoorOptions = {}): Door {
  const { t } = useTranslation('doors')
  const label = useEnumLabel()
  const why = useDoorWords()
  const ask = useOpeningQuestion()
  const live = useDoorNow(id)
  const [answer, setAnswer] = useState<DoorAnswer>({ step: 'idle' })
  const latest = useRef(0)
  const staysOpen = answer.step === 'done' && answer.operation === doorOperation.normallyOpen

  useEffect(() => {
    if (answer.step === 'idle' || answer.step === 'asking' || staysOpen) return
    const timer = setTimeout(() => setAnswer({ step: 'idle' }), ANSWER_STAYS[answer.step])
    return () => clearTimeout(timer)
  }, [answer, staysOpen])

  async function operate(operation: DoorOperation): Promise<void> {
    const attempt = ++latest.current
    const settle = (next: DoorAnswer): void => {
      if (attempt === latest.current) setAnswer(next)
    }
    const fail = (words: string, state: DoorState | undefined): void => {
      settle({ step: 'failed', operation, words, state })
      onFailed?.(words)
    }
    setAnswer({ step: 'asking', operation, words: label(doorState, doorStatesOf[operation].moving) })
    try {
      const { isSuccess, errorType } = await request(
        doorCalls.controlDoor,
        { body: { deviceId: id, operateType: operation } },
        { errors: 'inline' },
      )
      if (isSuccess) settle({ step: 'done', operation, words: label(doorState, doorStatesOf[operation].done) })
      else fail(why(errorType), errorType === doorControlErrorType.offline ? doorState.offline : undefined)
    } catch (error) {
      const isBusy = error instanceof Refusal && error.code === code.remoteControlOccupied
      fail(sentenceOf(error), isBusy ? doorState.busy : undefined)
    }
  }

  const offline = onlineStatus === deviceOnlineStatus.offline
  const reason = offline ? 'offline' : model === deviceModel.android ? 'android' : undefined
  return {
    answer,
    state: shownState(answer, { offline, now: live.state }),
    controlledBy: offline ? undefined : live.controlledBy,
    hindrance: reason && t(`hindrance.${reason}`),
    operate: (operation) => ask(operation, { deviceId: id, names: name, always: asksAlways, onDeclined }, () => void operate(operation)),
  }
}

/** Return the state to show: the answer to the user's own operation takes precedence over the live state. */
function shownState(answer: DoorAnswer, { offline, now }: { offline: boolean; now: DoorState | undefined }): DoorState | undefined {
  if (answer.step === 'asking') return doorStatesOf[answer.operation].moving
  if (answer.step === 'failed' && answer.state) return answer.state
  return offline ? doorState.offline : now
}
