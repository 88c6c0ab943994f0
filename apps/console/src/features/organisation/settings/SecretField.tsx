/** A secret that is never shown: left empty it stays as it is. */
import Password from 'antd/es/input/Password'
import { useTranslation } from 'react-i18next'

interface SecretFieldProps {
  /** Whether there is one already. */
  isSet: boolean
  /** Given by `<Form.Item>`. */
  id?: string
  value?: string
  onChange?: (event: React.ChangeEvent<HTMLInputElement>) => void
}

export function SecretField({ isSet, ...given }: SecretFieldProps) {
  const { t } = useTranslation('organisation')
  return (
    <Password
      {...given}
      autoComplete="new-password"
      maxLength={200}
      placeholder={t(isSet ? 'settings.secretSet' : 'settings.secretMissing')}
    />
  )
}
