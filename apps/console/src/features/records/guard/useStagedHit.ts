/** Tells the alarms which hit is seen here as large as it can be, so that no bubble says it again beside it. */
import { useEffect } from 'react'
import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { stageHit } from '../../../shared/stagedHit.ts'
import { isHit } from '../../../shared/watchList.ts'

export function useStagedHit(record: AccessRecord | undefined): void {
  const id = record !== undefined && isHit(record) ? record.id : undefined
  useEffect(() => {
    stageHit(id)
    return () => stageHit(undefined)
  }, [id])
}
