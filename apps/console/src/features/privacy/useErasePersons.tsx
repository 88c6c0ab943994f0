/** Erasure of persons: says what is erased and what is kept, asks for a reason, and leads to the receipt. */
import TextArea from 'antd/es/input/TextArea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { TEXT_MAX, type OutputOf } from '@gatehouse/contract'
import { privacyCalls } from '@gatehouse/contract/privacy/calls'
import { modal } from '../../kit/feedback.tsx'
import { request } from '../../api/request.ts'
import { useWrite } from '../../kit/form/useWrite.ts'
import { path } from '../../paths.ts'
import styles from './privacy.module.css'

type Preview = OutputOf<(typeof privacyCalls)['preview']['data']>

/** What the question's form tells the question, and the other way round. */
interface EraseAnswer {
  reason: string
  complain: () => void
}

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
    const preview = await request(privacyCalls.preview, { query: { personIds } }).catch(() => undefined)
    // A refusal has been shown already.
    if (!preview) return
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

function EraseForm({ preview, answer }: { preview: Preview; answer: EraseAnswer }) {
  const { t } = useTranslation('privacy')
  const [missing, setMissing] = useState(false)
  answer.complain = () => setMissing(true)
  const places = preview.places.filter(({ count }) => count > 0)
  const [erased, kept] = [places.filter((one) => !one.kept), places.filter((one) => one.kept)]
  const pseudonymised = erased.some(({ place }) => place === 'records')
  return (
    <div className={styles.erase}>
      <p>{t('erase.words')}</p>
      <div>
        <h3>{t('erase.gone')}</h3>
        <ul>
          {erased
            .filter(({ place }) => place !== 'records')
            .map(({ place, count }) => (
              <li key={place}>
                {t(`preview.${place}`)} <b>{count}</b>
              </li>
            ))}
        </ul>
      </div>
      {pseudonymised && <p>{t('erase.pseudonymised', { count: erased.find(({ place }) => place === 'records')!.count })}</p>}
      {kept.length > 0 && (
        <div>
          <h3>{t('erase.kept')}</h3>
          <ul>
            {kept.map(({ place, count }) => (
              <li key={place}>
                {t(`preview.${place}`)} <b>{count}</b>
              </li>
            ))}
          </ul>
        </div>
      )}
      <label>
        <span>{t('erase.reason')}</span>
        <TextArea
          rows={2}
          maxLength={TEXT_MAX}
          aria-invalid={missing}
          status={missing ? 'error' : ''}
          placeholder={t('erase.reasonHint')}
          onChange={({ target }) => {
            answer.reason = target.value
            setMissing(false)
          }}
        />
        {missing && (
          <span role="alert" className={styles.error}>
            {t('erase.reasonMissing')}
          </span>
        )}
      </label>
      <p>{t('erase.final')}</p>
    </div>
  )
}
