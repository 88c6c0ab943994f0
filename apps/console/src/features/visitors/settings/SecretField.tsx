/** A secret, which is never shown: it can be set, replaced and removed; left empty, the stored one is kept. */
import { Button, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { MESSAGING_TEXT_MAX } from '@gatehouse/contract/visitors/messaging'
import styles from './settings.module.css'

interface SecretFieldProps {
  /** Whether a secret is stored. */
  isSet: boolean
  /** Given by `<Form.Item>`. */
  id?: string
  /** Null: it is removed. */
  value?: string | null
  onChange?: (value: string | null) => void
}

export function SecretField({ isSet, id, value = '', onChange }: SecretFieldProps) {
  const { t } = useTranslation('visitors')
  if (value === null)
    return (
      <div className={styles.secret}>
        <span {...(id && { id })}>{t('messaging.secretRemoved')}</span>
        <Button onClick={() => onChange?.('')}>{t('messaging.secretKeep')}</Button>
      </div>
    )
  return (
    <div className={styles.secret}>
      <Input.Password
        {...(id && { id })}
        value={value}
        maxLength={MESSAGING_TEXT_MAX}
        autoComplete="new-password"
        placeholder={t(isSet ? 'messaging.secretSet' : 'messaging.secretMissing')}
        onChange={({ target }) => onChange?.(target.value)}
      />
      {isSet && <Button onClick={() => onChange?.(null)}>{t('messaging.secretRemove')}</Button>}
    </div>
  )
}
