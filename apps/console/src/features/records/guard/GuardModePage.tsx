/**
 * /guardMode: who is at the doors now, for a guard who glances at it for half a second, from two metres, at night. Usable by keys alone.
 */
import { useState, useEffect, useEffectEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { useFeedbackReady } from '../../../kit/feedback.tsx'
import { ListError } from '../../../kit/list/ListStates.tsx'
import { KEYS } from '../../../kit/keys.ts'
import { useMayCall } from '../../../api/session.ts'
import { stageHit } from '../../../shared/stagedHit.ts'
import { isHit } from '../../../shared/watchList.ts'
import { path } from '../../../paths.ts'
import { useDoorsLive } from '../../doors/index.ts'
import { useRecords, type Records } from '../useRecords.ts'
import { GuardHead } from './GuardHead.tsx'
import { OnStage } from './OnStage.tsx'
import { useOutcome } from './DoorKey.tsx'
import { Strip } from './Strip.tsx'
import { useFullScreen, useGuardKeys, useTones } from './controls.ts'
import { nextStage, nextTurn, type Stage } from './stage.ts'
import styles from './guard.module.css'

const [NEWER] = KEYS.guard.step

export default function GuardModePage() {
  const list = useRecords({ name: 'guard', fixed: {} })
  useDoorsLive()
  useFeedbackReady()
  useAwake()
  // With other doors chosen, the stage starts again.
  return <Watch key={list.query.deviceId ?? ''} list={list} />
}

/** An open question about the door of a record: the record stays on the stage until the door has answered. */
interface DoorQuestion {
  /** Whether the live passage was shown before: it is shown again afterwards. */
  wasLive: boolean
}

function Watch({ list }: { list: Records }) {
  const { t } = useTranslation('records')
  const tones = useTones()
  const fullScreen = useFullScreen()
  const leave = useLeave()
  const stage = useStage(list.pending ? undefined : list.rows, tones.announce)
  const [question, setQuestion] = useState<DoorQuestion>()
  const [outcome, setOutcome] = useOutcome()
  const stepping = useStepping(list.rows, stage?.record?.id, question !== undefined)
  const mayOpenDoor = [useMayCall(deviceCalls.read), useMayCall(doorCalls.controlDoor)].every(Boolean)
  const shown = stepping.chosen ?? stage?.record
  useStagedHit(shown)

  const hold = (): void => {
    if (shown === undefined) return
    setOutcome(undefined)
    setQuestion({ wasLive: stepping.chosen === undefined })
    stepping.choose(shown.id)
  }
  const release = (): void => {
    if (question?.wasLive) stepping.back()
    setQuestion(undefined)
  }
  const free = question === undefined
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
            door={mayOpenDoor ? { outcome, hold, release, settle: setOutcome } : undefined}
          />
          <Strip records={stepping.strip} shown={shown?.id} choose={stepping.choose} label={t('guard.strip')} />
        </>
      )}
    </main>
  )
}

/**
 * Return the stage of guard mode, updated as records arrive and time passes.
 * @param rows newest first; undefined while they are being read
 * @param onTurn called with each record that takes the stage after the first, and with one on it whose weight has changed
 */
function useStage(rows: readonly AccessRecord[] | undefined, onTurn: (record: AccessRecord) => void): Stage | undefined {
  const [stage, setStage] = useState<Stage>()
  const look = useEffectEvent((): void => {
    if (rows === undefined) return
    const next = nextStage(stage, rows, Date.now())
    if (next === stage) return
    setStage(next)
    if (stage !== undefined && next.record !== undefined && next.since !== stage.since) onTurn(next.record)
  })
  const turn = rows === undefined || stage === undefined ? undefined : nextTurn(stage, rows)
  useEffect(() => look(), [rows, stage])
  useEffect(() => {
    if (turn === undefined) return
    const timer = setTimeout(look, Math.max(0, turn - Date.now()))
    return () => clearTimeout(timer)
  }, [turn])
  return stage
}

/** Number of passages in the strip. */
const STRIP = 6
/** Milliseconds without a choice after which the live passage is shown again. */
const BACK_AFTER = 20_000

interface Look {
  id: string
  /** Ids of the passages in the strip when one was chosen, newest first: they stay while one of them is viewed. */
  strip: readonly string[]
  /** When it was chosen; epoch milliseconds. */
  at: number
}

interface Stepping {
  strip: AccessRecord[]
  /** The passage that was chosen; undefined: the live one is shown. */
  chosen: AccessRecord | undefined
  /** Number of passages that arrived since. */
  missed: number
  choose: (id: string) => void
  step: (by: number) => void
  back: () => void
}

/**
 * Let the guard look back among the latest passages while others arrive: the chosen one stays, and the live one is shown again after a
 * while.
 * @param rows newest first
 * @param live id of the record on the stage
 * @param isPinned whether the chosen one has to stay, as while a question about it is open
 */
function useStepping(rows: readonly AccessRecord[], live: string | undefined, isPinned: boolean): Stepping {
  const [look, setLook] = useState<Look>()
  const newest = rows.slice(0, STRIP)
  const pinned = (look?.strip ?? []).flatMap((id) => rows.find((row) => row.id === id) ?? [])
  const strip = look === undefined ? newest : pinned
  const chosen = strip.find(({ id }) => id === look?.id)
  const first = rows.findIndex(({ id }) => id === pinned[0]?.id)
  const choose = (id: string): void => setLook({ id, strip: strip.map((row) => row.id), at: Date.now() })
  const back = (): void => setLook(undefined)

  const at = look?.at
  const leave = useEffectEvent(back)
  useEffect(() => {
    if (at === undefined || isPinned) return
    const timer = setTimeout(leave, BACK_AFTER)
    return () => clearTimeout(timer)
  }, [at, isPinned])

  return {
    strip,
    chosen,
    missed: look === undefined ? 0 : Math.max(0, first),
    choose,
    step: (by) => {
      const place = strip.findIndex(({ id }) => id === (look?.id ?? live))
      const next = strip[Math.min(Math.max(place + by, 0), strip.length - 1)]
      if (next) choose(next.id)
    },
    back,
  }
}

/** Report to the alarms which hit is shown here in full size, so that no bubble repeats it. */
function useStagedHit(record: AccessRecord | undefined): void {
  const id = record !== undefined && isHit(record) ? record.id : undefined
  useEffect(() => {
    stageHit(id)
    return () => stageHit(undefined)
  }, [id])
}

/** Return a function that goes back to where guard mode was opened; in a tab that was opened with it, to the records of the same door. */
function useLeave(): () => void {
  const navigate = useNavigate()
  const { search } = useLocation()
  return () => {
    const { idx = 0 } = (window.history.state ?? {}) as { idx?: number }
    void (idx > 0 ? navigate(-1) : navigate(path('staffCurrent') + search, { replace: true }))
  }
}

/** Keep the screen of this computer on while the page is visible, where the browser supports it. */
function useAwake(): void {
  useEffect(() => {
    let isLeft = false
    let lock: WakeLockSentinel | undefined
    // The browser releases the lock whenever the page is hidden.
    const hold = async (): Promise<void> => {
      if (document.visibilityState !== 'visible') return
      // Absent over plain http from another computer, whatever the types say; refused by a device that is low on power.
      const acquired = await (navigator.wakeLock as WakeLock | undefined)?.request('screen').catch(() => undefined)
      if (isLeft) void acquired?.release()
      else lock = acquired
    }
    const look = (): void => void hold()
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      isLeft = true
      document.removeEventListener('visibilitychange', look)
      void lock?.release()
    }
  }, [])
}
