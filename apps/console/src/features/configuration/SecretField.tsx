/** A secret of the form: whether there is one, set anew or taken away; it is never shown. */
import { Button, Form, Input } from 'antd'
import { useTranslation } from 'react-i18next'
import { CONSOLE_PASSWORD_MAX } from '@gatehouse/contract'
import { WIFI_NAME_MAX, WIFI_PASSWORD } from '@gatehouse/contract/configuration/settings'
import styles from './configuration.module.css'

/** Where the secret in force comes from. */
export type SecretSource = 'own' | 'park' | null
type Secret = string | { name: string; password: string } | null | undefined

interface SecretFieldProps {
  name: 'consolePassword' | 'wifi'
  source: SecretSource
}

export function SecretField(props: SecretFieldProps) {
  const { t } = useTranslation('configuration')
  return (
    <Form.Item name={props.name} label={t(`secret.${props.name}`)}>
      <SecretInput {...props} />
    </Form.Item>
  )
}

interface SecretInputProps extends SecretFieldProps {
  /** Given by `<Form.Item>`: undefined leaves it as it was, null takes it away. */
  id?: string
  value?: Secret
  onChange?: (value: Secret) => void
}

function SecretInput({ id, value, onChange, name, source }: SecretInputProps) {
  const { t } = useTranslation('configuration')
  if (value === undefined || value === null) {
    const state = value === null ? 'removed' : (source ?? 'none')
    return (
      <div className={styles.secret}>
        <span role="status">{t(`secret.state.${state}`)}</span>
        {value === null ? (
          <Button onClick={() => onChange?.(undefined)}>{t('secret.keep')}</Button>
        ) : (
          <>
            <Button onClick={() => onChange?.(name === 'wifi' ? { name: '', password: '' } : '')}>
              {t(source === 'own' ? 'secret.change' : 'secret.set')}
            </Button>
            {source === 'own' && (
              <Button type="text" danger onClick={() => onChange?.(null)}>
                {t('secret.remove')}
              </Button>
            )}
          </>
        )}
      </div>
    )
  }
  return (
    <div className={styles.secret}>
      {typeof value === 'string' ? (
        <Input.Password
          {...(id && { id })}
          value={value}
          maxLength={CONSOLE_PASSWORD_MAX}
          autoComplete="new-password"
          placeholder={t('secret.passwordWords')}
          onChange={({ target }) => onChange?.(target.value)}
        />
      ) : (
        <>
          <Input
            {...(id && { id })}
            value={value.name}
            maxLength={WIFI_NAME_MAX}
            autoComplete="off"
            placeholder={t('secret.wifiName')}
            onChange={({ target }) => onChange?.({ ...value, name: target.value })}
          />
          <Input.Password
            value={value.password}
            maxLength={WIFI_PASSWORD[1]}
            autoComplete="new-password"
            aria-label={t('secret.wifiPassword')}
            placeholder={t('secret.wifiPassword')}
            onChange={({ target }) => onChange?.({ ...value, password: target.value })}
          />
        </>
      )}
      <Button onClick={() => onChange?.(undefined)}>{t('secret.keep')}</Button>
    </div>
  )
}
