/** What deleting a strategy would take from whom in the next seven days: what others open all the same, nobody loses. */
import { questionCalls } from '@gatehouse/contract/access/questions'
import { useRead } from '../../../kit/query.ts'
import { EffectSentences } from './EffectLine.tsx'

interface DeletionEffectProps {
  strategy: { id: string; timeRuleIds: string[]; methods: number[] }
}

export function DeletionEffect({ strategy: { id, timeRuleIds, methods } }: DeletionEffectProps) {
  const { data } = useRead(questionCalls.strategyEffect, { body: { id, deleted: true, timeRuleIds, methods } })
  return data === undefined ? null : <EffectSentences effect={data} />
}
