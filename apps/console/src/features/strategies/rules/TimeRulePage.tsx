/** /timeRuleDetail/{id}: adds a time rule (`new`) or changes one. */
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { EFFECT_MINUTES, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { FormPage } from '../../../kit/form/FormPage.tsx'
import { loadedFrom, ready } from '../../../kit/form/loaded.ts'
import { useReadOnce } from '../../../api/query.ts'
import { shownName } from '../../../kit/shownName.ts'
import { path } from '../../../paths.ts'
import { hinderedBy } from '../../approvals/index.ts'
import { EffectLine } from '../../questions/index.ts'
import { RuleEffect } from './RuleEffect.tsx'
import { RuleFields } from './RuleFields.tsx'
import { NEW_RULE, newRule, ruleValuesOf } from './ruleValues.ts'
import styles from './rules.module.css'

export default function TimeRulePage() {
  const { id = NEW_RULE } = useParams()
  return id === NEW_RULE ? <AddRule /> : <ChangeRule id={id} />
}

function AddRule() {
  const { t } = useTranslation('strategies')
  const navigate = useNavigate()
  return (
    <FormPage
      call={timeRuleCalls.create}
      title={t('addRule')}
      initial={ready(newRule())}
      done={t('saved')}
      draft="timeRule.add"
      onDone={() => void navigate(path('timeRule'), { replace: true })}
    >
      <RuleFields />
    </FormPage>
  )
}

function ChangeRule({ id }: { id: string }) {
  const { t } = useTranslation('strategies')
  const navigate = useNavigate()
  const rule = useReadOnce(timeRuleCalls.read, { params: { id } })
  const used = rule.data?.strategyCount ?? 0
  return (
    <FormPage
      call={timeRuleCalls.change}
      title={t('editOf', { name: shownName(rule.data?.name ?? '') })}
      initial={loadedFrom(rule, ruleValuesOf)}
      hidden={{ id, version: rule.data?.version }}
      done={t('saved')}
      draft={`timeRule.${id}`}
      hindered={hinderedBy('timeRule')}
      onDone={() => void navigate(path('timeRule'), { replace: true })}
    >
      {rule.data && (
        <p className={styles.stateLine}>
          <RuleEffect rule={rule.data} />
          {t(`ruleState.words.${rule.data.effect.state}`, { date: rule.data.effectiveDate, minutes: EFFECT_MINUTES })}
        </p>
      )}
      <RuleFields note={used > 0 ? t('ruleUsed', { count: used }) : undefined} />
      <EffectLine of="rule" hidden={{ id }} />
    </FormPage>
  )
}
