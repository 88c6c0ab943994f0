/** /addPassStrategyDetail: adds a strategy, or changes the one whose id stands in the query. */
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { strategyCalls } from '@gatehouse/contract/strategies/calls'
import { FormPage } from '../../kit/form/FormPage.tsx'
import { loadedFrom, ready } from '../../kit/form/loaded.ts'
import { useReadOnce } from '../../api/query.ts'
import { hinderedBy } from '../approvals/index.ts'
import { EffectLine } from '../questions/index.ts'
import { detailOf } from './addresses.ts'
import { StrategyFields } from './StrategyFields.tsx'
import { newStrategy, strategyValuesOf } from './strategyValues.ts'

export default function StrategyFormPage() {
  const [search] = useSearchParams()
  const id = search.get('id')
  return id ? <ChangeStrategy key={id} id={id} /> : <AddStrategy />
}

function useShowIt(): (answer: { id: string }) => void {
  const navigate = useNavigate()
  return ({ id }) => void navigate(detailOf(id), { replace: true })
}

function AddStrategy() {
  const { t } = useTranslation('strategies')
  return (
    <FormPage
      call={strategyCalls.create}
      title={t('addStrategy')}
      initial={ready(newStrategy())}
      done={t('saved')}
      draft="strategy.add"
      hindered={hinderedBy('strategy')}
      onDone={useShowIt()}
    >
      <StrategyFields />
      <EffectLine of="strategy" />
    </FormPage>
  )
}

function ChangeStrategy({ id }: { id: string }) {
  const { t } = useTranslation('strategies')
  const strategy = useReadOnce(strategyCalls.read, { query: { id } })
  return (
    <FormPage
      call={strategyCalls.change}
      title={t('editOf', { name: strategy.data?.name ?? '' })}
      initial={loadedFrom(strategy, strategyValuesOf)}
      hidden={{ id, version: strategy.data?.version }}
      done={t('saved')}
      draft={`strategy.${id}`}
      hindered={hinderedBy('strategy')}
      onDone={useShowIt()}
    >
      <StrategyFields known={strategy.data?.persons} />
      <EffectLine of="strategy" hidden={{ id }} />
    </FormPage>
  )
}
