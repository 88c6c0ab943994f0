/** The computing of a replay: its parts asked for one after another, with progress, until they are all there or somebody cancels. */
import { useEffect, useRef, useState } from 'react'
import type { InputOf } from '@gatehouse/contract'
import { replayCalls } from '@gatehouse/contract/surveillance/replay'
import type { ComparedCapture } from '@gatehouse/contract/surveillance/replay-rules'
import { Refusal } from '../../../api/refusal.ts'
import { request } from '../../../api/request.ts'

/** What has to be computed again when it changes. */
export type ReplayQuestion = Pick<
  InputOf<(typeof replayCalls)['compare']['body']>,
  'deviceIds' | 'personGroupIds' | 'periods' | 'compareRule'
>

export interface ReplayResult {
  question: ReplayQuestion
  startTime: number
  endTime: number
  /** Stored captures of the cameras, and those that can be compared. */
  total: number
  comparable: number
  emptyDevices: number
  /** In the order of time. */
  captures: readonly ComparedCapture[]
  names: ReadonlyMap<string, string>
  promised: number | null
}

export interface ReplayRun {
  result: ReplayResult | undefined
  /** Captures that were looked at so far; undefined: nothing is being computed. */
  progress: { done: number; total: number } | undefined
  refusal: Refusal | undefined
  start(question: ReplayQuestion): void
  cancel(): void
}

async function compute(
  question: ReplayQuestion,
  signal: AbortSignal,
  onPart: (done: number, total: number) => void,
): Promise<ReplayResult> {
  const captures: ComparedCapture[] = []
  const names = new Map<string, string>()
  let window: { startTime?: number; endTime?: number } = {}
  let after: string | undefined
  let done = 0
  for (;;) {
    const body = { ...question, ...window, ...(after !== undefined && { after }) }
    const part = await request(replayCalls.compare, { body }, { errors: 'inline', cancellable: true, signal })
    const { startTime, endTime, total, comparable, promised } = part
    window = { startTime, endTime }
    for (const capture of part.captures) captures.push(capture)
    for (const { id, name } of part.persons) names.set(id, name)
    done += part.looked
    onPart(done, comparable)
    after = part.next
    if (after === undefined)
      return { question, startTime, endTime, total, comparable, emptyDevices: part.emptyDeviceIds.length, captures, names, promised }
  }
}

export function useReplay(): ReplayRun {
  const [result, setResult] = useState<ReplayResult>()
  const [progress, setProgress] = useState<ReplayRun['progress']>()
  const [refusal, setRefusal] = useState<Refusal>()
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])

  function cancel(): void {
    running.current?.abort()
    running.current = undefined
    setProgress(undefined)
  }

  function start(question: ReplayQuestion): void {
    cancel()
    const controller = (running.current = new AbortController())
    setRefusal(undefined)
    setProgress({ done: 0, total: 0 })
    compute(question, controller.signal, (done, total) => {
      if (running.current === controller) setProgress({ done, total })
    }).then(
      (found) => {
        if (running.current !== controller) return
        setResult(found)
        cancel()
      },
      (error: unknown) => {
        if (running.current !== controller) return
        if (!(error instanceof Refusal)) throw error
        if (!error.cancelled) setRefusal(error)
        cancel()
      },
    )
  }

  return { result, progress, refusal, start, cancel }
}
