/** The digits a person types at a door. Its value: undefined leaves what there is, empty removes it. */
import { Button, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { PASSCODE_MAX } from '@gatehouse/contract'
import styles from './people.module.css'

interface PasswordFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string | null
  onChange?: (digits: string | undefined) => void
  /** Whether the person has one already. */
  set: boolean
}

export function PasswordField({ id, value, onChange, set }: PasswordFieldProps) {
  const { t } = useTranslation('people')
  const removed = set && value === ''
  return (
    <div className={styles.withButton}>
      <Input.Password
        {...(id && { id })}
        value={value ?? ''}
        maxLength={PASSCODE_MAX}
        inputMode="numeric"
        autoComplete="new-password"
        placeholder={t(removed ? 'password.removed' : set ? 'password.set' : 'password.hint')}
        onChange={({ target }) => onChange?.(target.value || undefined)}
      />
      {set && <Button onClick={() => onChange?.(removed ? undefined : '')}>{t(removed ? 'password.keep' : 'password.remove')}</Button>}
    </div>
  )
}
