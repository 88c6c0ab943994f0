/** A secret that is kept and never shown. Its value: undefined leaves what there is, empty removes it. */
import { Button, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from './devices.module.css'

interface SecretFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string
  onChange?: (text: string | undefined) => void
  /** Whether there is one already. */
  set: boolean
  maxLength: number
  /** What to type, where there is none. */
  hint: string
  digits?: boolean
}

export function SecretField({ id, value, onChange, set, maxLength, hint, digits }: SecretFieldProps) {
  const { t } = useTranslation('devices')
  const removed = set && value === ''
  return (
    <div className={styles.withButton}>
      <Input.Password
        {...(id && { id })}
        value={value ?? ''}
        maxLength={maxLength}
        {...(digits && { inputMode: 'numeric' as const })}
        autoComplete="new-password"
        placeholder={removed ? t('secret.removed') : set ? t('secret.set') : hint}
        onChange={({ target }) => onChange?.(target.value || undefined)}
      />
      {set && <Button onClick={() => onChange?.(removed ? undefined : '')}>{removed ? t('secret.keep') : t('secret.remove')}</Button>}
    </div>
  )
}
