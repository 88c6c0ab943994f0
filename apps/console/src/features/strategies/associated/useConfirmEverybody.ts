/** Says of a rule that everybody of the linked park is meant. */
import { useTranslation } from 'react-i18next'
import { associatedRuleCalls } from '@gatehouse/contract/strategies/associated-rules'
import { useWrite } from '../../../kit/form/useWrite.ts'

export function useConfirmEverybody(): { confirm: (rule: { id: string }) => void; pending: boolean } {
  const { t } = useTranslation('strategies')
  const { run, pending } = useWrite(associatedRuleCalls.confirmEverybody, { done: t('associated.unconfirmed.confirmed') })
  return { confirm: ({ id }) => run({ params: { id } }), pending }
}
