/** What can be done with persons to look out for. Deleting says what is lost and waits, so that it can be taken back. */
import { useTranslation } from 'react-i18next'
import { specialCalls } from '@gatehouse/contract/people/special'
import { useOnce } from '../../../kit/form/useOnce.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { useDeletePersons } from '../useDeletePersons.tsx'

export interface SpecialActions {
  setStatus: (ids: string[], to: 0 | 1) => void
  remove: (ids: string[]) => void
}

/**
 * @param onDone called once the status has been changed
 * @param onRemoved called once deleting was agreed to, before it is done
 */
export function useSpecialActions({ onDone, onRemoved }: { onDone?: () => void; onRemoved: () => void }): SpecialActions {
  const { t } = useTranslation('people')
  const once = useOnce()
  const status = useWrite(specialCalls.status, { done: t('statusChanged'), ...(onDone && { onDone }) })
  const remove = useDeletePersons(onRemoved, { special: true })

  return { setStatus: (ids, to) => once(() => status.send({ body: { ids, status: to } })), remove: (ids) => once(() => remove(ids)) }
}
