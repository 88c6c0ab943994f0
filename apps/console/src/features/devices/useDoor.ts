/** Remote control of one door: asked, answered, or refused, always in words; and its state as everybody sees it. */
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Device } from '@gatehouse/contract/devices/calls'
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
  /** `words` say why; `state` is what the door is shown as, where that follows. */
  | { step: 'failed'; operation: DoorOperation; words: string; state: DoorState | undefined }

/** How long an answer stays, in milliseconds; a door held open says so until it is told otherwise. */
export const ANSWER_STAYS = { done: 6000, failed: 20_000 }

export interface Door {
  answer: DoorAnswer
  /** As it is now; undefined while it is simply closed, or nobody knows. */
  state: DoorState | undefined
  /** Name of somebody else who controls it now. */
  heldBy: string | undefined
  /** Why it cannot be controlled from here now; undefined where it can. */
  hindrance: string | undefined
  operate: (operation: DoorOperation) => void
}

interface DoorOptions {
  /** Told why an operation failed, beside the answer. */
  onFailed?: (words: string) => void
  /** Asks once more before it is opened, wherever the park wants that. */
  asksAlways?: boolean
  /** Told where the question was answered by no. */
  onDeclined?: () => void
}

export function useDoor({ id, name, onlineStatus, model }: Device, { onFailed, asksAlways = false, onDeclined }: DoorOptions = {}): Door {
  const { t } = useTranslation('doors')
  const label = useEnumLabel()
  const why = useDoorWords()
  const ask = useOpeningQuestion()
  const now = useDoorNow(id)
  const [answer, setAnswer] = useState<DoorAnswer>({ step: 'idle' })
  const latest = useRef(0)
  const held = answer.step === 'done' && answer.operation === doorOperation.normallyOpen

  useEffect(() => {
    if (answer.step === 'idle' || answer.step === 'asking' || held) return
    const timer = setTimeout(() => setAnswer({ step: 'idle' }), ANSWER_STAYS[answer.step])
    return () => clearTimeout(timer)
  }, [answer, held])

  async function operate(operation: DoorOperation): Promise<void> {
    const round = ++latest.current
    const settle = (next: DoorAnswer): void => {
      if (round === latest.current) setAnswer(next)
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
    state: shownState(answer, { offline, now: now.state }),
    heldBy: offline ? undefined : now.heldBy,
    hindrance: reason && t(`hindrance.${reason}`),
    operate: (operation) => ask(operation, { deviceId: id, names: name, always: asksAlways, onDeclined }, () => void operate(operation)),
  }
}

/** What was just learnt here goes before what was heard of. */
function shownState(answer: DoorAnswer, { offline, now }: { offline: boolean; now: DoorState | undefined }): DoorState | undefined {
  if (answer.step === 'asking') return doorStatesOf[answer.operation].moving
  if (answer.step === 'failed' && answer.state) return answer.state
  return offline ? doorState.offline : now
}
