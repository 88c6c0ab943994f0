/** /guardMode: who is at the doors now, for a guard who looks for half a second, from two metres, at night. Works by keys alone. */
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
  // At other doors it starts again.
  return <Watch key={list.query.deviceId ?? ''} list={list} />
}

/** What is asked about the door of a record: it stays on the stage until the door has answered. */
interface DoorQuestion {
  /** What was live before is live again afterwards. */
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
 * The stage of guard mode, kept true as records come and time passes.
 * @param rows newest first; undefined while they are being read
 * @param onTurn called with what takes the stage after the first, and of a record on it that turns out to be more
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

/** Passages that can be looked at. */
const STRIP = 6
/** Without a key it goes back to what is live; milliseconds. */
const BACK_AFTER = 20_000

interface Look {
  id: string
  /** Ids of those that stood in the strip, newest first: they stay while one of them is looked at. */
  strip: readonly string[]
  /** When it was chosen; epoch milliseconds. */
  at: number
}

interface Stepping {
  strip: AccessRecord[]
  /** What is looked at; undefined: what is live. */
  chosen: AccessRecord | undefined
  /** Passages that came since. */
  missed: number
  choose: (id: string) => void
  step: (by: number) => void
  back: () => void
}

/**
 * Looking back among the last passages while others come: what is looked at stays where it is, and is left again after a while.
 * @param rows newest first
 * @param live id of what has the stage
 * @param isPinned whether it has to stay, as while something is asked about it
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

/** Tells the alarms which hit is seen here as large as it can be, so that no bubble says it again beside it. */
function useStagedHit(record: AccessRecord | undefined): void {
  const id = record !== undefined && isHit(record) ? record.id : undefined
  useEffect(() => {
    stageHit(id)
    return () => stageHit(undefined)
  }, [id])
}

/** The way back to where guard mode was opened; a tab that began with it goes on to the records, of the same door. */
function useLeave(): () => void {
  const navigate = useNavigate()
  const { search } = useLocation()
  return () => {
    const { idx = 0 } = (window.history.state ?? {}) as { idx?: number }
    void (idx > 0 ? navigate(-1) : navigate(path('staffCurrent') + search, { replace: true }))
  }
}

/** Keeps the screen of this machine from going dark while the page is in sight, where the browser can. */
function useAwake(): void {
  useEffect(() => {
    let isLeft = false
    let lock: WakeLockSentinel | undefined
    // The browser lets go of it whenever the page is out of sight.
    const hold = async (): Promise<void> => {
      if (document.visibilityState !== 'visible') return
      // Absent over plain http from another machine, whatever the types say; refused by a machine that runs out of power.
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
