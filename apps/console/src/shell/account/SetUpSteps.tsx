/** How to add a new secret to the app, by camera or by hand, and the field for its first one-time code. */
import { DownloadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { CopyField } from '../../kit/form/CopyField.tsx'
import { SecretOnce } from '../../kit/form/SecretOnce.tsx'
import { saveFile } from '../../api/saveFile.ts'
import { OneTimeCodeField } from './OneTimeCodeField.tsx'
import type { PendingFactor } from './useSecondFactor.ts'
import styles from './account.module.css'

interface SetUpStepsProps {
  pendingFactor: PendingFactor
  account: string
  onComplete: () => void
}

/** Rendered in a form with the field `code`. */
export function SetUpSteps({ pendingFactor: { qr, secret, validMinutes }, account, onComplete }: SetUpStepsProps) {
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

interface RecoveryCodesProps {
  codes: string[]
  account: string
  close: () => void
}

/** Recovery codes, shown once: they have to be copied or saved as a text file. */
export function RecoveryCodes({ codes, account, close }: RecoveryCodesProps) {
  const { t } = useTranslation('account')
  const lines = codes.join('\n')
  const save = (): void =>
    saveFile({
      blob: new Blob([`${t('recoveryCodes.head', { account })}\n\n${lines}\n`], { type: 'text/plain;charset=utf-8' }),
      name: t('recoveryCodes.file', { account }),
    })
  return (
    <SecretOnce
      title={t('recoveryCodes.title')}
      words={t('recoveryCodes.words')}
      values={[{ name: t('recoveryCodes.name', { account }), value: lines, as: 'code' }]}
      close={close}
    >
      <Button icon={<DownloadOutlined />} onClick={save} className={styles.saveCodes ?? ''}>
        {t('recoveryCodes.download')}
      </Button>
    </SecretOnce>
  )
}
