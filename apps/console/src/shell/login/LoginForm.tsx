/** User name and password. */
import { Button, Form, Input, type FormInstance, type InputRef } from 'antd'
import type { ReactNode, Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { PASSWORD_MIN } from '@gatehouse/contract'
import { prepareEncryption } from '../../api/encrypt.ts'
import styles from './login.module.css'

export interface Credentials {
  username: string
  password: string
}

interface LoginFormProps {
  form: FormInstance<Credentials>
  /** Gets the focus after a refusal. */
  password: Ref<InputRef>
  busy: boolean
  /** Shown above the button where one is needed. */
  captcha: ReactNode
  logIn: (credentials: Credentials) => void
  /** Called for a forgotten password. */
  forget: () => void
}

export function LoginForm({ form, password, busy, captcha, logIn, forget }: LoginFormProps) {
  const { t } = useTranslation('shell')
  const { t: ta } = useTranslation('account')
  return (
    <Form form={form} layout="vertical" size="large" requiredMark={false} onFinish={logIn} onFocus={prepareEncryption}>
      <Form.Item
        name="username"
        label={t('login.username')}
        rules={[{ required: true, whitespace: true, message: t('login.usernameRequired') }]}
      >
        <Input autoFocus autoComplete="username" maxLength={64} />
      </Form.Item>
      <Form.Item
        name="password"
        label={t('login.password')}
        validateTrigger="onSubmit"
        rules={[
          { required: true, message: t('login.passwordRequired') },
          { min: PASSWORD_MIN, message: t('login.passwordShort', { count: PASSWORD_MIN }) },
        ]}
      >
        <Input.Password ref={password} autoComplete="current-password" maxLength={64} />
      </Form.Item>
      {captcha}
      <Button type="primary" htmlType="submit" block loading={busy}>
        {t('login.submit')}
      </Button>
      <Button type="link" size="small" className={styles.forgot} onClick={forget}>
        {ta('forgotten.link')}
      </Button>
    </Form>
  )
}
