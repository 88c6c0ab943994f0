/** The form of an associated rule: a new one, or the one whose id is in the query. */
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { associatedRuleCalls } from '@gatehouse/contract/strategies/associated-rules'
import { FormPage } from '../../../kit/form/FormPage.tsx'
import { loadedFrom, ready } from '../../../kit/form/loaded.ts'
import { useReadOnce } from '../../../api/query.ts'
import { hinderedBy } from '../../approvals/index.ts'
import { detailOf } from './associatedRules.tsx'
import { AssociatedRuleFields } from './AssociatedRuleFields.tsx'
import { associatedValuesOf, audienceIssues, newAssociatedRule } from './associatedValues.ts'

interface Of {
  kind: 'staff' | 'visitor'
}

export default function AssociatedRuleFormPage({ kind }: Of) {
  const [search] = useSearchParams()
  const id = search.get('id')
  return id ? <ChangeRule key={id} kind={kind} id={id} /> : <AddRule kind={kind} />
}

function useShowIt({ kind }: Of): (answer: { id: string }) => void {
  const navigate = useNavigate()
  return ({ id }) => void navigate(detailOf({ id, kind }), { replace: true })
}

function AddRule({ kind }: Of) {
  const { t } = useTranslation('strategies')
  return (
    <FormPage
      call={associatedRuleCalls.create}
      title={t(kind === 'visitor' ? 'associated.addVisitor' : 'associated.addStaff')}
      initial={ready(newAssociatedRule(kind))}
      hidden={{ kind }}
      done={t('saved')}
      draft={`associatedRule.add.${kind}`}
      also={audienceIssues}
      hindered={hinderedBy('associatedRule')}
      onDone={useShowIt({ kind })}
    >
      <AssociatedRuleFields kind={kind} />
    </FormPage>
  )
}

function ChangeRule({ kind, id }: Of & { id: string }) {
  const { t } = useTranslation('strategies')
  const rule = useReadOnce(associatedRuleCalls.read, { query: { id } })
  return (
    <FormPage
      call={associatedRuleCalls.change}
      title={t('editOf', { name: rule.data?.name ?? '' })}
      initial={loadedFrom(rule, associatedValuesOf)}
      hidden={{ id, kind, version: rule.data?.version }}
      done={t('saved')}
      draft={`associatedRule.${id}`}
      also={audienceIssues}
      hindered={hinderedBy('associatedRule')}
      onDone={useShowIt({ kind })}
    >
      <AssociatedRuleFields kind={kind} rule={rule.data} />
    </FormPage>
  )
}
