/** /writtenRules/{id}: adds a written rule (`new`) or changes one. */
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { writtenRuleCalls } from '@gatehouse/contract/approvals/written-rules'
import { FormPage } from '../../kit/form/FormPage.tsx'
import { loadedFrom, ready } from '../../kit/form/loaded.ts'
import { useReadOnce } from '../../api/query.ts'
import { path } from '../../paths.ts'
import { hinderedBy } from './Hindrance.tsx'
import { StandingAgainst } from './StandingAgainst.tsx'
import { WrittenRuleFields } from './WrittenRuleFields.tsx'
import { NEW_WRITTEN_RULE, newWrittenRule, writtenRuleValuesOf } from './writtenRuleValues.ts'

export default function WrittenRulePage() {
  const { id = NEW_WRITTEN_RULE } = useParams()
  return id === NEW_WRITTEN_RULE ? <AddWrittenRule /> : <ChangeWrittenRule id={id} />
}

function useBack(): () => void {
  const navigate = useNavigate()
  return () => void navigate(path('writtenRules'), { replace: true })
}

function AddWrittenRule() {
  const { t } = useTranslation('approvals')
  return (
    <FormPage
      call={writtenRuleCalls.create}
      title={t('add')}
      initial={ready(newWrittenRule())}
      done={t('saved')}
      draft="writtenRule.add"
      onDone={useBack()}
    >
      <WrittenRuleFields />
      <StandingAgainst />
    </FormPage>
  )
}

function ChangeWrittenRule({ id }: { id: string }) {
  const { t } = useTranslation('approvals')
  const rule = useReadOnce(writtenRuleCalls.read, { params: { id } })
  return (
    <FormPage
      call={writtenRuleCalls.change}
      title={t('editOf', { name: rule.data?.name ?? '' })}
      initial={loadedFrom(rule, writtenRuleValuesOf)}
      hidden={{ id, version: rule.data?.version }}
      done={t('saved')}
      draft={`writtenRule.${id}`}
      hindered={hinderedBy()}
      onDone={useBack()}
    >
      <WrittenRuleFields known={rule.data?.persons} />
      <StandingAgainst />
    </FormPage>
  )
}
