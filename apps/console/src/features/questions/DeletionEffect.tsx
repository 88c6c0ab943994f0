/** What deleting something would take from whom in the next seven days: what others open all the same, nobody loses. */
import { useTranslation } from 'react-i18next'
import type { Effect } from '@gatehouse/contract/questions/calls'
import type { AnyCall, PartsOf } from '../../api/http.ts'
import { useRead } from '../../api/query.ts'
import { Unanswered } from '../../kit/detail/Unanswered.tsx'
import { EffectSentences } from './EffectLine.tsx'
import { EFFECT_CALLS } from './useEffectOf.ts'

interface DeletionEffectProps {
  of: 'strategy' | 'accessGroup' | 'deviceGroup'
  /** Names what is deleted, as the call wants it. */
  body: { id: string; timeRuleIds?: string[]; methods?: number[] }
}

export default function DeletionEffect({ of, body }: DeletionEffectProps) {
  const { t } = useTranslation('questions')
  const asked = useRead(EFFECT_CALLS[of].effect as AnyCall, { body: { ...body, deleted: true } } as unknown as PartsOf<AnyCall>)
  const effect = asked.data as Effect | undefined
  return effect === undefined ? <Unanswered title={t('effect.unanswered')} asked={asked} /> : <EffectSentences effect={effect} />
}
