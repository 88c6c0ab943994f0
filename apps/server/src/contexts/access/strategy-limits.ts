/** What limits a strategy beside its lists, and stays as it was where a change leaves it out. */
import type { z } from 'zod'
import type { strategyChangeFields } from '@gatehouse/contract/access/calls'
import { leftAsItWas } from '../../platform/left-out.ts'
import type { StrategyRow } from './strategies-data.ts'

export type StrategyChange = z.output<typeof strategyChangeFields>

/** Of a strategy, what says for whom and how long it is: that of a change, and where it leaves it out that of before. */
export function limitsOf(row: StrategyRow, change: Partial<StrategyChange>) {
  const { kind, authorisedObject: whom, validFrom, validTo } = row
  return leftAsItWas(
    {
      kind: kind as StrategyChange['kind'] & string,
      authorisedObject: whom,
      validFrom: validFrom as number | null,
      validTo: validTo as number | null,
    },
    change,
  )
}
