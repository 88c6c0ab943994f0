/** /guardMode: who is at the doors now, for a guard who looks for half a second, from two metres, at night. Works by keys alone. */
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { useFeedbackReady } from '../../../kit/feedback.tsx'
import { ListError } from '../../../kit/list/ListStates.tsx'
import { KEYS } from '../../../kit/keys.ts'
import { useMayCall } from '../../../api/session.ts'
import { useDoorsLive } from '../../doors/index.ts'
import { useRecords, type Records } from '../useRecords.ts'
import { GuardHead } from './GuardHead.tsx'
import { OnStage } from './OnStage.tsx'
import { useOutcome } from './DoorKey.tsx'
import { Strip } from './Strip.tsx'
import { useAwake } from './useAwake.ts'
import { useFullScreen } from './useFullScreen.ts'
import { useGuardKeys } from './useGuardKeys.ts'
import { useLeave } from './useLeave.ts'
import { useStage } from './useStage.ts'
import { useStagedHit } from './useStagedHit.ts'
import { useStepping } from './useStepping.ts'
import { useTones } from './useTones.ts'
import styles from './guard.module.css'

const [NEWER] = KEYS.guard.step

export default function GuardModePage() {
  const list = useRecords({ name: 'guard', fixed: {} })
  useDoorsLive()
  useFeedbackReady()
  useAwake()
  // At other doors it begins anew.
  return <Watch key={list.query.deviceId ?? ''} list={list} />
}

/** What is asked about the door of a record: it stays on the stage until the door has answered. */
interface Asked {
  /** What was live before is live again afterwards. */
  wasLive: boolean
}

function Watch({ list }: { list: Records }) {
  const { t } = useTranslation('records')
  const tones = useTones()
  const fullScreen = useFullScreen()
  const leave = useLeave()
  const stage = useStage(list.pending ? undefined : list.rows, tones.tell)
  const [asked, setAsked] = useState<Asked>()
  const [outcome, setOutcome] = useOutcome()
  const stepping = useStepping(list.rows, stage?.record?.id, asked !== undefined)
  const mayOpenDoor = [useMayCall(deviceCalls.read), useMayCall(doorCalls.controlDoor)].every(Boolean)
  const shown = stepping.chosen ?? stage?.record
  useStagedHit(shown)

  const hold = (): void => {
    if (shown === undefined) return
    setOutcome(undefined)
    setAsked({ wasLive: stepping.chosen === undefined })
    stepping.choose(shown.id)
  }
  const letGo = (): void => {
    if (asked?.wasLive) stepping.back()
    setAsked(undefined)
  }
  const free = asked === undefined
  useGuardKeys({
    sound: tones.toggle,
    fullScreen: fullScreen.toggle,
    ...(free && { step: (key) => stepping.step(key === NEWER ? -1 : 1) }),
    ...(free && stepping.chosen && { live: stepping.back }),
    leave: () => {
      if (free && stepping.chosen) stepping.back()
      else if (fullScreen.isFull) fullScreen.toggle()
      else leave()
    },
  })

  return (
    <main className={styles.guard} aria-busy={list.pending}>
      <GuardHead list={list} tones={tones} fullScreen={fullScreen} leave={leave} />
      {list.error && list.rows.length === 0 ? (
        <ListError error={list.error} retry={list.retry} />
      ) : (
        <>
          <OnStage
            record={shown}
            since={stage?.since ?? 0}
            pending={list.pending}
            filtered={list.filtered}
            paused={stepping.chosen && free ? { missed: stepping.missed, back: stepping.back } : undefined}
            door={mayOpenDoor ? { outcome, hold, letGo, settle: setOutcome } : undefined}
          />
          <Strip records={stepping.strip} shown={shown?.id} choose={stepping.choose} label={t('guard.strip')} />
        </>
      )}
    </main>
  )
}
