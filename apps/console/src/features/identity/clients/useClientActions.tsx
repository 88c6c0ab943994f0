/** What can be done with an API user; each question says which program stops working. */
import { useTranslation } from 'react-i18next'
import { clientCalls, type ApiClient } from '@gatehouse/contract/identity/clients'
import { afterConfirmation } from '../../../api/confirmation.ts'
import { modal } from '../../../kit/feedback.tsx'
import type { RowAction } from '../../../kit/list/RowMenu.tsx'
import { useUndo } from '../../../kit/list/useUndo.tsx'
import { useWrite } from '../../../kit/form/useWrite.ts'
import type { Secret } from './ClientSecret.tsx'

interface Openers {
  edit: (client: ApiClient) => void
  onSecret: (secret: Secret) => void
}

export function useClientActions({ edit, onSecret }: Openers): (client: ApiClient) => RowAction[] {
  const { t } = useTranslation('identity')
  const undoable = useUndo()
  const turn = useWrite(clientCalls.enable, { done: t('saved') })
  const reset = useWrite(clientCalls.resetSecret, { onDone: onSecret })
  const remove = useWrite(clientCalls.delete, { done: t('deleted') })

  const ask = (title: string, content: string, okText: string, onOk: () => void): void =>
    modal.confirm({ title, content, okText, okButtonProps: { danger: true }, cancelText: t('common:cancel'), onOk })

  return (client) => {
    const { id, name, status } = client
    const on = status === 1
    return [
      { key: 'edit', label: t('edit'), run: () => edit(client) },
      {
        key: 'reset',
        label: t('client.resetSecret'),
        run: () =>
          ask(t('client.resetTitle', { name }), t('client.resetWords'), t('client.resetSecret'), () => reset.run({ params: { id } })),
      },
      on
        ? {
            key: 'disable',
            label: t('disable'),
            run: () =>
              ask(t('client.disableTitle', { name }), t('client.disableWords'), t('disable'), () => turn.run({ body: { id, status: 0 } })),
          }
        : { key: 'enable', label: t('enable'), run: () => turn.run({ body: { id, status: 1 } }) },
      {
        key: 'delete',
        label: t('delete'),
        danger: true,
        run: () =>
          ask(t('client.deleteTitle', { name }), t('client.deleteWords'), t('delete'), () =>
            afterConfirmation(() => undoable(t('client.deleting', { name }), () => remove.run({ query: { id }, body: {} }))),
          ),
      },
    ]
  }
}
