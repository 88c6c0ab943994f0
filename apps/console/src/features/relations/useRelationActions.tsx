/** What can be done with a link or an application, from this park's side. */
import { useTranslation } from 'react-i18next'
import { relationCalls, type ParkRelation } from '@gatehouse/contract/relations/calls'
import { modal } from '../../kit/feedback.tsx'
import type { RowAction } from '../../kit/list/RowMenu.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'

export function useRelationActions(choosePeople: (relation: ParkRelation) => void): (relation: ParkRelation) => RowAction[] {
  const { t } = useTranslation('relations')
  const agree = useWrite(relationCalls.change, { done: t('agreed') })
  const refuse = useWrite(relationCalls.change, { done: t('refused') })
  const dismiss = useWrite(relationCalls.change, { done: t('dismissed') })
  const remove = useWrite(relationCalls.delete, { done: t('removed') })

  const ask = (title: string, content: string, okText: string, danger: boolean, onOk: () => void): void =>
    modal.confirm({ title, content, okText, okButtonProps: { danger }, cancelText: t('common:cancel'), onOk })

  return (relation) => {
    const { id, parkName: park, status, direction, personCount: count, version } = relation
    const isOwn = direction === 'sent'
    const edit: RowAction = { key: 'edit', label: t('edit'), run: () => choosePeople(relation) }
    const removal = (label: string): RowAction => ({ key: 'remove', label, danger: true, run: () => remove.run({ params: { id } }) })
    switch (status) {
      case 'applied':
        return isOwn
          ? [edit, removal(t('takeBack'))]
          : [
              {
                key: 'agree',
                label: t('agree'),
                run: () =>
                  ask(t('agreeTitle', { park }), t('agreeWords', { count }), t('agree'), false, () =>
                    agree.run({ body: { id, status: 'agreed', version } }),
                  ),
              },
              {
                key: 'refuse',
                label: t('refuse'),
                danger: true,
                run: () =>
                  ask(t('refuseTitle', { park }), t('refuseWords'), t('refuse'), true, () =>
                    refuse.run({ body: { id, status: 'refused', version } }),
                  ),
              },
            ]
      case 'agreed':
        return [
          ...(isOwn ? [edit] : []),
          {
            key: 'dismiss',
            label: t('dismiss'),
            danger: true,
            run: () =>
              ask(t('dismissTitle', { park }), t('dismissWords'), t('dismiss'), true, () =>
                dismiss.run({ body: { id, status: 'dismissed', version } }),
              ),
          },
        ]
      default:
        return [removal(t('remove'))]
    }
  }
}
