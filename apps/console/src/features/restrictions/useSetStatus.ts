/** Sets by hand whether persons are inside. */
import { useTranslation } from 'react-i18next'
import { PERSON_STATE, restrictionCalls, type PersonState } from '@gatehouse/contract/restrictions/calls'
import { modal } from '../../kit/feedback.tsx'
import type { RowAction } from '../../kit/list/RowMenu.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'

/** @param onDone called once it is set */
export function useSetStatus(restrictionId: string, onDone?: () => void): (personIds: string[], current?: PersonState) => RowAction[] {
  const { t } = useTranslation('restrictions')
  const write = useWrite(restrictionCalls.setStatus, { done: t('stateSet'), ...(onDone && { onDone }) })

  return (personIds, current) => {
    const to = (status: PersonState | null) => (): void =>
      void modal.confirm({
        title: t(`setTitle.${status ?? 'unknown'}`, { count: personIds.length }),
        content: t(`setWords.${status ?? 'unknown'}`),
        okText: t('set'),
        cancelText: t('common:cancel'),
        onOk: () => write.send({ body: { restrictionId, personIds, status } }).catch(() => {}),
      })
    const { inside, outside } = PERSON_STATE
    return [
      ...(current === outside ? [] : [{ key: 'outside', label: t('setOutside'), run: to(outside) }]),
      ...(current === inside ? [] : [{ key: 'inside', label: t('setInside'), run: to(inside) }]),
      { key: 'unknown', label: t('reset'), run: to(null) },
    ]
  }
}
