/** How a new secret comes into the app: by the camera or by hand, and the first one-time code it makes. */
import { useTranslation } from 'react-i18next'
import { CopyField } from '../../kit/form/CopyField.tsx'
import { OneTimeCodeField } from './OneTimeCodeField.tsx'
import type { Begun } from './useSecondFactor.ts'
import styles from './account.module.css'

interface SetUpStepsProps {
  begun: Begun
  account: string
  onComplete: () => void
}

/** Stands in a form with the field `code`. */
export function SetUpSteps({ begun: { qr, secret, validMinutes }, account, onComplete }: SetUpStepsProps) {
  const { t } = useTranslation('account')
  return (
    <ol className={styles.steps}>
      <li>
        <p>{t('secondFactor.scan')}</p>
        <small>{t('secondFactor.apps')}</small>
        <img src={qr} alt={t('secondFactor.qr', { account })} className={styles.qr} />
        <CopyField name={t('secondFactor.secret')} value={secret} />
      </li>
      <li>
        <p>{t('secondFactor.enter')}</p>
        <small>{t('secondFactor.validFor', { count: validMinutes })}</small>
        <OneTimeCodeField recovery={false} onComplete={onComplete} />
      </li>
    </ol>
  )
}
