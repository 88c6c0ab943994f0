/** Erasure of persons: shows what is erased and what is kept, asks for a reason, and leads to the receipt. */
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { modal, toast } from '../../kit/feedback.tsx'
import { clientRefusal, sentenceOf } from '../../api/refusal.ts'
import { request } from '../../api/request.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { path } from '../../paths.ts'
import type { EraseAnswer } from './EraseForm.tsx'

/** The form of the question: loaded while the preview is on its way, so that a list does not wait for it. Undefined where it cannot be. */
const loadForm = () =>
  import('./EraseForm.tsx').then(
    ({ EraseForm }) => EraseForm,
    () => void toast('error', sentenceOf(clientRefusal('CHUNK_LOAD_TIMEOUT'))),
  )

/** @param onDone called once they are erased, with the receipts; then the receipt is shown, or the list of several */
export function useErasePersons(onDone?: (erasureIds: string[]) => void): (ids: string[]) => Promise<void> {
  const { t } = useTranslation('privacy')
  const navigate = useNavigate()
  const erase = useWrite(privacyCalls.erase, {
    done: t('erase.done'),
    onDone: ({ erasureIds }) => {
      onDone?.(erasureIds)
      const [first, ...others] = erasureIds
      void navigate(others.length === 0 && first !== undefined ? path('erasureDetails', { id: first }) : path('erasures'))
    },
  })

  return async (personIds) => {
    const reading = request(privacyCalls.preview, { query: { personIds } }).catch(() => undefined)
    const [preview, EraseForm] = await Promise.all([reading, loadForm()])
    // What failed has been shown already.
    if (!preview || !EraseForm) return
    const answer: EraseAnswer = { reason: '', complain: () => {} }
    modal.confirm({
      title: t('erase.title', { count: preview.persons }),
      width: 520,
      content: <EraseForm preview={preview} answer={answer} />,
      okText: t('erase.erase'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: async () => {
        if (answer.reason.trim() === '') {
          answer.complain()
          // A rejection keeps the dialog open.
          throw new Error('no reason given')
        }
        await erase.send({ body: { personIds, reason: answer.reason } })
      },
    })
  }
}
