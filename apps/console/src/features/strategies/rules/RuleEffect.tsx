/** The effective date of a time rule, and how many terminals hold it. */
import { useTranslation } from 'react-i18next'
import { EFFECT_MINUTES, type TimeRule } from '@gatehouse/contract/strategies/calls'
import { StatusTag } from '../../../kit/detail/EnumTag.tsx'
import styles from './rules.module.css'

const STATUS_OF = { today: 'wait', tomorrow: 'info', later: 'info', inEffect: 'ok' } as const satisfies Record<
  TimeRule['effect']['state'],
  string
>

export function RuleEffect({ rule: { effect, effectiveDate } }: { rule: Pick<TimeRule, 'effect' | 'effectiveDate'> }) {
  const { t } = useTranslation('strategies')
  const { state, terminals, holding } = effect
  const counted = holding < terminals ? t('ruleState.holding', { holding, count: terminals }) : ''
  const title = t(`ruleState.words.${state}`, { date: effectiveDate, minutes: EFFECT_MINUTES })
  return (
    <span className={styles.state} title={title}>
      <StatusTag status={STATUS_OF[state]}>{t(`ruleState.${state}`, { date: effectiveDate })}</StatusTag>
      {counted && <small>{counted}</small>}
    </span>
  )
}
