/** Deleting persons: says what is lost, then waits five seconds in which it can be taken back. */
import { useTranslation } from 'react-i18next'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { modal } from '../../kit/feedback.tsx'
import { request } from '../../api/request.ts'
import { useUndo } from '../../kit/list/useUndo.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'

/**
 * @param onAgreed called once the person at the screen has agreed, before anything is deleted
 * @param special they are persons to look out for
 */
export function useDeletePersons(onAgreed: () => void, { special = false }: { special?: boolean } = {}): (ids: string[]) => Promise<void> {
  const { t } = useTranslation('people')
  const undoable = useUndo()
  const remove = useWrite(special ? specialCalls.deleteBatch : peopleCalls.delete, { done: t('deleted') })

  return async (ids) => {
    const loss = await request(peopleCalls.confirm, { query: { ids }, body: undefined }).catch(() => undefined)
    // A refusal has been shown already.
    if (!loss) return
    const { persons, faces, disabled } = loss
    const names = loss.names.join(t('common:listSeparator'))
    const more = persons - loss.names.length
    modal.confirm({
      title: more > 0 ? t('deleteNamedMore', { names, count: more }) : t('deleteNamed', { names }),
      content: (
        <>
          <p>{t('deleteLoss', { count: faces })}</p>
          {!special && <p>{t('deleteKept')}</p>}
          {disabled > 0 && <p>{t('deleteDisabled', { count: disabled })}</p>}
        </>
      ),
      okText: t('delete'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => {
        onAgreed()
        undoable(t('deleting', { count: persons }), () => remove.run({ query: { ids }, body: undefined }))
      },
    })
  }
}
