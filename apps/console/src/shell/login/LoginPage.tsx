/** /login: who are you. */
import { UnlockOutlined } from '@ant-design/icons'
import { Button, Form, Input, type InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { loginCode, PASSWORD_MIN } from '@gatehouse/contract'
import { isEncrypted } from '../../kit/encrypted.ts'
import { toast } from '../../kit/feedback.tsx'
import { Refusal } from '../../kit/refusal.ts'
import { loadSession, useSession } from '../../kit/session.ts'
import { freshToken, hasTokens, obtainTokens } from '../../kit/tokens.ts'
import { path } from '../../paths.ts'
import { remindOfExpiry } from '../account/expiryReminder.ts'
import { takeWantedAddress } from '../guard.ts'
import { useInstallation } from '../installation.ts'
import { Preferences } from '../layout/Preferences.tsx'
import { Mark } from '../Mark.tsx'
import { encryptPassword, prepareEncryption } from '../../kit/encrypt.ts'
import { ExpiredPasswordDialog } from './ExpiredPasswordDialog.tsx'
import { ForgottenPasswordDialog } from './ForgottenPasswordDialog.tsx'
import { GatePicture } from './GatePicture.tsx'
import { LoginRefusal } from './LoginRefusal.tsx'
import { SlideCaptcha } from './SlideCaptcha.tsx'
import styles from './login.module.css'

interface Credentials {
  username: string
  password: string
}

export default function LoginPage() {
  const { t } = useTranslation('shell')
  const { t: ta } = useTranslation('account')
  const navigate = useNavigate()
  const { systemName, logo, background } = useInstallation()
  const [refusal, setRefusal] = useState<Refusal>()
  const [busy, setBusy] = useState(false)
  const [expired, setExpired] = useState<Credentials>()
  const [forgotten, setForgotten] = useState(false)
  /** Counts the captchas asked for; undefined: none is. */
  const [captchaRound, setCaptchaRound] = useState<number>()
  const [form] = Form.useForm<Credentials>()
  const password = useRef<InputRef>(null)
  useArrival()

  function refused(found: Refusal, credentials: Credentials): void {
    setRefusal(found)
    if (found.code === loginCode.passwordExpired) setExpired(credentials)
    // A locked account takes no tries, so there is nothing to prove.
    const captchaWanted = found.code === loginCode.captchaFailed || found.data['captcha'] === true
    setCaptchaRound((round) => (captchaWanted ? (round ?? 0) + 1 : undefined))
    // Only the captcha was wrong: what was typed stays.
    if (found.code === loginCode.captchaFailed) return
    form.setFieldValue('password', '')
    password.current?.focus()
  }

  async function logIn({ username: typed, password: plain }: Credentials, captcha?: string): Promise<void> {
    const username = typed.trim()
    setBusy(true)
    setRefusal(undefined)
    try {
      await obtainTokens(username, await encryptPassword(plain), captcha)
      await loadSession()
      const { profile } = useSession.getState()
      if (profile) void remindOfExpiry(profile)
      await navigate(takeWantedAddress() ?? path('home'), { replace: true })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused(error, { username, password: plain })
    } finally {
      setBusy(false)
    }
  }

  /** Goes on with a password that was just set. */
  function goOn(credentials: Credentials): void {
    setExpired(undefined)
    setForgotten(false)
    setCaptchaRound(undefined)
    toast('success', ta('password.set'))
    void logIn(credentials)
  }

  async function answerCaptcha(answer: string): Promise<void> {
    const credentials = await form.validateFields().catch(() => undefined)
    if (credentials) await logIn(credentials, answer)
    else setCaptchaRound((round) => (round ?? 0) + 1)
  }

  return (
    <div className={styles.login}>
      <div className={styles.side}>
        <div className={styles.preferences}>
          <Preferences />
        </div>
        <main className={styles.form}>
          <div className={styles.brand}>
            {logo ? <img src={logo} alt="" /> : <Mark size={44} />}
            <h1 className={systemName === '' ? styles.unseen : undefined}>{systemName || t('product')}</h1>
            <p>{t('login.welcome')}</p>
          </div>
          {refusal && <LoginRefusal refusal={refusal} />}
          <Form
            form={form}
            layout="vertical"
            size="large"
            requiredMark={false}
            onFinish={(credentials) => void logIn(credentials)}
            onFocus={prepareEncryption}
          >
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
            {captchaRound !== undefined && <SlideCaptcha key={captchaRound} onAnswer={(answer) => void answerCaptcha(answer)} />}
            <Button type="primary" htmlType="submit" block loading={busy}>
              {t('login.submit')}
            </Button>
            <Button type="link" size="small" className={styles.forgot} onClick={() => setForgotten(true)}>
              {ta('forgotten.link')}
            </Button>
          </Form>
          {!isEncrypted() && (
            <p className={styles.notEncrypted}>
              <UnlockOutlined />
              {t('login.notEncrypted')}
            </p>
          )}
        </main>
      </div>
      <div className={styles.picture} style={background ? { backgroundImage: `url("${background}")` } : undefined} aria-hidden="true">
        {!background && <GatePicture />}
      </div>
      {expired && (
        <ExpiredPasswordDialog
          credentials={expired}
          close={() => setExpired(undefined)}
          onChanged={(changed) => goOn({ username: expired.username, password: changed })}
        />
      )}
      {forgotten && (
        <ForgottenPasswordDialog
          account={(form.getFieldValue('username') as string | undefined) ?? ''}
          close={() => setForgotten(false)}
          onChanged={goOn}
        />
      )}
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
    if (hasTokens())
      void freshToken()
        .then(loadSession)
        .then(
          () => navigate(path('home'), { replace: true }),
          () => {},
        )
  }, [navigate, reload])
}
