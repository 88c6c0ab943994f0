/** /login: who are you. */
import { Alert, Button, Form, Input, type InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { PASSWORD_MIN } from '@gatehouse/contract'
import { Refusal } from '../../kit/refusal.ts'
import { loadSession } from '../../kit/session.ts'
import { freshToken, hasTokens, obtainTokens } from '../../kit/tokens.ts'
import { path } from '../../paths.ts'
import { takeWantedAddress } from '../guard.ts'
import { useInstallation } from '../installation.ts'
import { Preferences } from '../layout/Preferences.tsx'
import { Mark } from '../Mark.tsx'
import { encryptPassword, prepareEncryption } from './encrypt.ts'
import { GatePicture } from './GatePicture.tsx'
import { loginSentence } from './loginSentence.ts'
import styles from './login.module.css'

interface Credentials {
  username: string
  password: string
}

export default function LoginPage() {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  const { systemName, logo, background } = useInstallation()
  const [refusal, setRefusal] = useState<Refusal>()
  const [busy, setBusy] = useState(false)
  const [form] = Form.useForm<Credentials>()
  const password = useRef<InputRef>(null)
  useArrival()

  async function logIn({ username, password: plain }: Credentials): Promise<void> {
    setBusy(true)
    setRefusal(undefined)
    try {
      await obtainTokens(username.trim(), await encryptPassword(plain))
      await loadSession()
      await navigate(takeWantedAddress() ?? path('home'), { replace: true })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      setRefusal(error)
      form.setFieldValue('password', '')
      password.current?.focus()
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className={styles.login}>
      <div className={styles.side}>
        <div className={styles.preferences}><Preferences /></div>
        <main className={styles.form}>
          <div className={styles.brand}>
            {logo ? <img src={logo} alt="" /> : <Mark size={44} />}
            <h1>{systemName}</h1>
            <p>{t('login.welcome')}</p>
          </div>
          {refusal && <Alert type="error" showIcon title={loginSentence(refusal)} className={styles.refusal} role="alert" />}
          <Form form={form} layout="vertical" size="large" requiredMark={false} onFinish={(credentials) => void logIn(credentials)} onFocus={prepareEncryption}>
            <Form.Item name="username" label={t('login.username')} rules={[{ required: true, whitespace: true, message: t('login.usernameRequired') }]}>
              <Input autoFocus autoComplete="username" maxLength={64} />
            </Form.Item>
            <Form.Item
              name="password"
              label={t('login.password')}
              validateTrigger="onSubmit"
              rules={[{ required: true, message: t('login.passwordRequired') }, { min: PASSWORD_MIN, message: t('login.passwordShort', { count: PASSWORD_MIN }) }]}
            >
              <Input.Password ref={password} autoComplete="current-password" maxLength={64} />
            </Form.Item>
            <Button type="primary" htmlType="submit" block loading={busy}>{t('login.submit')}</Button>
          </Form>
        </main>
      </div>
      <div className={styles.picture} style={background ? { backgroundImage: `url("${background}")` } : undefined} aria-hidden="true">
        {!background && <GatePicture />}
      </div>
    </div>
  )
}

/** After a logout the page is loaded afresh, once; with a session that is still good there is nothing to log in to. */
function useArrival(): void {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const reload = search.get('reload') === '1'
  useEffect(() => {
    if (reload) {
      window.history.replaceState(null, '', `#${path('login')}`)
      return window.location.reload()
    }
    if (hasTokens()) void freshToken().then(loadSession).then(() => navigate(path('home'), { replace: true }), () => {})
  }, [navigate, reload])
}
