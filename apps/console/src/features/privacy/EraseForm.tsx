/** The form of the question before persons are erased: what is erased, what is kept, and the reason. */
import TextArea from 'antd/es/input/TextArea'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TEXT_MAX, type OutputOf } from '@gatehouse/contract'
import type { privacyCalls } from '@gatehouse/contract/privacy/calls'
import styles from './privacy.module.css'

type Preview = OutputOf<(typeof privacyCalls)['preview']['data']>

/** What the form passes to the question it is part of, and the question to the form. */
export interface EraseAnswer {
  reason: string
  complain: () => void
}

export function EraseForm({ preview, answer }: { preview: Preview; answer: EraseAnswer }) {
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
