/** Why the terminal decided as it did: the checks it made, in its order, each with its numbers. */
import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import type { Check } from '@gatehouse/access-rules'
import { scoreInWords } from '@gatehouse/contract'
import { accessCalls } from '@gatehouse/contract/access/calls'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { useEnumLabel } from '../../../kit/EnumTag.tsx'
import { useRead } from '../../../kit/query.ts'
import { formatInstant, useZoneOffset } from '../../../kit/time.ts'
import styles from './records.module.css'

export function Checks({ checks }: { checks: Check[] }) {
  const { t } = useTranslation('access')
  const wordsOf = useCheckWords()
  if (checks.length === 0) return <p className={styles.note}>{t('noChecks')}</p>
  return (
    <ol className={styles.checks}>
      {checks.map((check) => (
        <li key={check.code} data-ok={check.ok}>
          {check.ok ? <CheckCircleFilled aria-label={t('passed')} /> : <CloseCircleFilled aria-label={t('failed')} />}
          <span>{wordsOf(check)}</span>
        </li>
      ))}
    </ol>
  )
}

/** The sentence of a check. Rules and strategies are named as they are called now; one since deleted says so. */
function useCheckWords(): (check: Check) => string {
  const { t } = useTranslation('access')
  const label = useEnumLabel()
  const { offset } = useZoneOffset()
  const rules = useRead(accessCalls.allTimeRules, {})
  const strategies = useRead(accessCalls.allStrategies, {})
  const nameIn = (named: { id: string; name: string }[] | undefined, id: string | null): string => named?.find((one) => one.id === id)?.name ?? t('sinceDeleted')
  const time = (instant: number): string => formatInstant(instant, offset).slice(0, 16)

  return (check) => {
    const outcome = check.ok ? 'ok' : 'not'
    switch (check.code) {
      case 'face':
        if (check.score === null) return t('check.face.nobody')
        return t(`check.face.${outcome}`, { score: scoreInWords(check.score), threshold: scoreInWords(check.threshold) })
      case 'validity': {
        const { from, to } = check
        if (from === null && to === null) return t('check.validity.always')
        return t(`check.validity.${outcome}`, { from: from === null ? t('always') : time(from), to: to === null ? t('always') : time(to) })
      }
      case 'strategy':
        return t(`check.strategy.${outcome}`, { count: check.count ?? 0 })
      case 'strategyBegun':
        return t(`check.strategyBegun.${outcome}`, { from: check.from === null ? '–' : time(check.from) })
      case 'timeRule':
        return t(`check.timeRule.${check.reason ?? 'none'}`, { rule: nameIn(rules.data, check.ruleId), strategy: nameIn(strategies.data, check.strategyId) })
      case 'method':
        return t(`check.method.${outcome}`, { method: check.method === null ? '–' : label(accessMethod, check.method) })
      case 'registered':
      case 'enabled':
        return t(`check.${check.code}.${outcome}`)
      default:
        return t('check.unknown', { number: check.number })
    }
  }
}
