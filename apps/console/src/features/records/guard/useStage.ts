/** The stage of guard mode, kept true as records come and time passes. */
import { useEffect, useEffectEvent, useState } from 'react'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { nextStage, nextTurn, type Stage } from './stage.ts'

/**
 * @param rows newest first; undefined while they are being read
 * @param onTurn told of what takes the stage after the first, and of a record on it that turns out to be more
 */
export function useStage(rows: readonly AccessRecord[] | undefined, onTurn: (record: AccessRecord) => void): Stage | undefined {
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
