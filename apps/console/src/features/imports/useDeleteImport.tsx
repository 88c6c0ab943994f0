/** Removes an import with its files; whoever was registered by it stays. */
import { useTranslation } from 'react-i18next'
import { importCalls, type PersonImport } from '@gatehouse/contract/imports/calls'
import { modal } from '../../kit/feedback.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'

export function useDeleteImport(onDone?: () => void): (of: Pick<PersonImport, 'id' | 'groupName'>) => void {
  const { t } = useTranslation('imports')
  const remove = useWrite(importCalls.delete, { done: t('deleted'), ...(onDone && { onDone }) })
  return ({ id, groupName }) =>
    modal.confirm({
      title: t('deleteTitle', { group: groupName }),
      content: t('deleteWords'),
      okText: t('delete'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => remove.run({ params: { id } }),
    })
}
