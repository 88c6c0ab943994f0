/** What deleting a strategy would take from whom in the next seven days: what others open all the same, nobody loses. */
import { useTranslation } from 'react-i18next'
import { questionCalls } from '@gatehouse/contract/access/questions'
import { useRead } from '../../../kit/query.ts'
import { Unanswered } from '../../../kit/Unanswered.tsx'
import { EffectSentences } from './EffectLine.tsx'

interface DeletionEffectProps {
  strategy: { id: string; timeRuleIds: string[]; methods: number[] }
}

export function DeletionEffect({ strategy: { id, timeRuleIds, methods } }: DeletionEffectProps) {
  const { t } = useTranslation('questions')
  const asked = useRead(questionCalls.strategyEffect, { body: { id, deleted: true, timeRuleIds, methods } })
  return asked.data === undefined ? <Unanswered title={t('effect.unanswered')} asked={asked} /> : <EffectSentences effect={asked.data} />
}
