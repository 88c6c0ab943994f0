/** What can be done with one person or many at once. Nothing is done twice by a double click. */
import { useTranslation } from 'react-i18next'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { toast } from '../../kit/feedback.tsx'
import { useMayCall } from '../../api/session.ts'
import { useOnce } from '../../kit/form/useOnce.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { useErasePersons } from '../privacy/index.ts'
import { useDeletePersons } from './useDeletePersons.tsx'

interface PersonActions {
  setStatus: (ids: string[], to: 0 | 1) => void
  /** To every device that is to hold them. */
  sendAgain: (ids: string[]) => void
  /** After it was confirmed, and not taken back in time. */
  remove: (ids: string[]) => void
  /** With everything the park knows of them, after a reason was given; null where the person at the screen may not. */
  erase: ((ids: string[]) => void) | null
}

/**
 * @param onDone called once a change has been made
 * @param onRemoved called once deleting was agreed to, before it is done
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
