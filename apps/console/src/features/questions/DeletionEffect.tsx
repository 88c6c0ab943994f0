/** Persons who would lose doors in the next seven days by a deletion. A door that another strategy opens is not lost. */
import { useTranslation } from 'react-i18next'
import type { Effect } from '@gatehouse/contract/questions/calls'
import type { AnyCall, LooseParts } from '../../api/http.ts'
import { useRead } from '../../api/query.ts'
import { Unanswered } from '../../kit/detail/Unanswered.tsx'
import { EffectSentences } from './EffectLine.tsx'
import { EFFECT_CALLS } from './useEffectOf.ts'

interface DeletionEffectProps {
  of: 'strategy' | 'accessGroup' | 'deviceGroup'
  /** What is deleted, as the call takes it. */
  body: { id: string; timeRuleIds?: string[]; methods?: number[] }
}

export default function DeletionEffect({ of, body }: DeletionEffectProps) {
  const { t } = useTranslation('questions')
  const parts: LooseParts = { body: { ...body, deleted: true } }
  const query = useRead(EFFECT_CALLS[of].effect as AnyCall, parts)
  const effect = query.data as Effect | undefined
  return effect === undefined ? <Unanswered title={t('effect.unanswered')} asked={query} /> : <EffectSentences effect={effect} />
}
