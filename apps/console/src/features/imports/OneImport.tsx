/** What the list of imports and the page of one share: the state of an import, and its deletion. */
import { useTranslation } from 'react-i18next'
import { type PersonImport, importCalls } from '@gatehouse/contract/imports/calls'
import { StatusTag } from '../../kit/detail/EnumTag.tsx'
import type { Status } from '../../theme/tokens.ts'
import { modal } from '../../kit/feedback.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'

const STATUS_OF: Record<PersonImport['state'], Status> = { draft: 'wait', running: 'info', done: 'ok', cancelled: 'off', failed: 'bad' }

/** The state of an import in words, with its progress. */
export function ImportState({ of: { state, work } }: { of: Pick<PersonImport, 'state' | 'work'> }) {
  const { t } = useTranslation('imports')
  const percent = state === 'running' && work?.total ? ` ${Math.floor((work.done / work.total) * 100)}%` : ''
  return (
    <StatusTag status={STATUS_OF[state]}>
      {t(`state.${state}`)}
      {percent}
    </StatusTag>
  )
}

/** Return a function that deletes an import with its files after a question; persons registered by it stay. */
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
