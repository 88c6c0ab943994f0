/** Actions on persons of the registers and of the watch list. */
import { useTranslation } from 'react-i18next'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { specialCalls } from '@gatehouse/contract/people/special'
import { toast, modal } from '../../kit/feedback.tsx'
import { useMayCall } from '../../api/session.ts'
import { useOnce } from '../../kit/form/useOnce.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { request } from '../../api/request.ts'
import { useUndo } from '../../kit/list/useUndo.tsx'
import { useErasePersons } from '../privacy/index.ts'

interface PersonActions {
  setStatus: (ids: string[], to: 0 | 1) => void
  /** Send the persons again to every device that should hold them. */
  sendAgain: (ids: string[]) => void
  /** Delete after a confirmation, unless it is undone in time. */
  remove: (ids: string[]) => void
  /** Erase all data of the persons in the park, after asking for a reason; null where the user may not. */
  erase: ((ids: string[]) => void) | null
}

/**
 * Return the actions on one person or many. A double click runs an action once.
 * @param onDone called once a change has been made
 * @param onRemoved called once the user has agreed to delete, before anything is deleted
 */
export function usePersonActions({ onDone, onRemoved }: { onDone?: () => void; onRemoved: () => void }): PersonActions {
  const { t } = useTranslation('people')
  const once = useOnce()
  const status = useWrite(peopleCalls.status, { done: t('statusChanged'), ...(onDone && { onDone }) })
  const again = useWrite(peopleCalls.retrySend, {
    onDone: ({ devices }) => {
      toast(devices > 0 ? 'success' : 'info', t(devices > 0 ? 'sentAgain' : 'sentNowhere', { count: devices }))
      onDone?.()
    },
  })
  const remove = useDeletePersons(onRemoved)
  const erase = useErasePersons(onDone)
  const mayErase = useMayCall(privacyCalls.erase)
  return {
    setStatus: (ids, to) => once(() => status.send({ body: { ids, status: to } })),
    sendAgain: (ids) => once(() => again.send({ body: { ids } })),
    remove: (ids) => once(() => remove(ids)),
    erase: mayErase ? (ids) => once(() => erase(ids)) : null,
  }
}

interface SpecialActions {
  setStatus: (ids: string[], to: 0 | 1) => void
  remove: (ids: string[]) => void
}

/**
 * Return the actions on persons of the watch list. Deleting shows what is lost and waits, so that it can be undone.
 * @param onDone called once the status has been changed
 * @param onRemoved called once the user has agreed to delete, before anything is deleted
 */
export function useSpecialActions({ onDone, onRemoved }: { onDone?: () => void; onRemoved: () => void }): SpecialActions {
  const { t } = useTranslation('people')
  const once = useOnce()
  const status = useWrite(specialCalls.status, { done: t('statusChanged'), ...(onDone && { onDone }) })
  const remove = useDeletePersons(onRemoved, { special: true })

  return { setStatus: (ids, to) => once(() => status.send({ body: { ids, status: to } })), remove: (ids) => once(() => remove(ids)) }
}

/**
 * Return a function that deletes persons: it shows what is lost, then waits five seconds in which it can be undone.
 * @param onAgreed called once the user has agreed, before anything is deleted
 * @param special the persons are of the watch list
 */
function useDeletePersons(onAgreed: () => void, { special = false }: { special?: boolean } = {}): (ids: string[]) => Promise<void> {
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
