/** /login: the login of a user. */
import { UnlockOutlined } from '@ant-design/icons'
import { Form, type InputRef } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { loginCode } from '@gatehouse/contract'
import { isEncrypted } from '../../api/encrypted.ts'
import { toast } from '../../kit/feedback.tsx'
import { Refusal } from '../../api/refusal.ts'
import { loadSession, useSession } from '../../api/session.ts'
import { freshToken, hasTokens, obtainTokens, type Besides } from '../../api/tokens.ts'
import { path } from '../../paths.ts'
import { remindOfExpiry } from '../account/expiryReminder.ts'
import { takeReturnAddress } from '../guard.ts'
import { onLoginElsewhere } from '../session/otherTabs.ts'
import { encryptPassword } from '../../api/encrypt.ts'
import { ExpiredPasswordDialog } from './ExpiredPasswordDialog.tsx'
import { ForgottenPasswordDialog } from './ForgottenPasswordDialog.tsx'
import { LoginForm, type Credentials } from './LoginForm.tsx'
import { LoginFrame } from './LoginFrame.tsx'
import { LoginRefusal, type LoginRefusalProps } from './LoginRefusal.tsx'
import { loginSentence } from './loginSentence.ts'
import { OneTimeCodeForm } from './OneTimeCodeForm.tsx'
import { SlideCaptcha } from './SlideCaptcha.tsx'
import styles from './login.module.css'

export default function LoginPage() {
  const { t } = useTranslation('shell')
  const { t: ta } = useTranslation('account')
  const navigate = useNavigate()
  const [refused, setRefused] = useState<LoginRefusalProps>()
  const [busy, setBusy] = useState(false)
  /** The input, once the password is accepted and a one-time code is needed besides. */
  const [proven, setProven] = useState<Credentials>()
  const [expired, setExpired] = useState<Credentials>()
  const [forgotten, setForgotten] = useState(false)
  /** Number of captchas requested so far; undefined: none is needed. */
  const [captchaCount, setCaptchaCount] = useState<number>()
  const [form] = Form.useForm<Credentials>()
  const password = useRef<InputRef>(null)
  const anotherCaptcha = (): void => setCaptchaCount((count) => (count ?? 0) + 1)
  useArrival()
  // When a session ends, the title would still be that of the page the user was on.
  useEffect(() => {
    document.title = t('product')
  }, [t])

  function leaveCode(): void {
    flushSync(() => setProven(undefined))
    password.current?.focus()
  }

  /** Show a refusal. @returns what is wrong with the one-time code, if that was refused */
  function show(refusal: Refusal, credentials: Credentials, { captcha }: Besides): string | undefined {
    // A locked account accepts no tries, so it needs no captcha.
    if (refusal.code === loginCode.captchaFailed || refusal.data['captcha'] === true) anotherCaptcha()
    else setCaptchaCount(undefined)
    const isWrongCode = refusal.code === loginCode.secondFactorWrong
    if (isWrongCode || refusal.code === loginCode.secondFactorNeeded) {
      setProven(credentials)
      return isWrongCode ? loginSentence(refusal) : undefined
    }
    setRefused({ refusal, captcha: captcha !== undefined })
    // Only the captcha was wrong: the input stays.
    if (refusal.code === loginCode.captchaFailed) return undefined
    if (refusal.code === loginCode.passwordExpired) setExpired(credentials)
    form.setFieldValue('password', '')
    leaveCode()
    return undefined
  }

  /** Log in. @returns what is wrong with the one-time code, if that was refused */
  async function logIn({ username, password: typed }: Credentials, besides: Besides = {}): Promise<string | undefined> {
    const credentials = { username: username.trim(), password: typed }
    setBusy(true)
    setRefused(undefined)
    try {
      await beginSession(credentials, besides)
      await navigate(takeReturnAddress() ?? path('home'), { replace: true })
      return undefined
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return show(error, credentials, besides)
    } finally {
      setBusy(false)
    }
  }

  /** Continue the login with a password that was just set. */
  function goOn(credentials: Credentials): void {
    setExpired(undefined)
    setForgotten(false)
    setProven(undefined)
    setCaptchaCount(undefined)
    toast('success', ta('password.set'))
    void logIn(credentials)
  }

  async function answerCaptcha(answer: string): Promise<void> {
    const credentials = await form.validateFields().catch(() => undefined)
    if (credentials) await logIn(credentials, { captcha: answer })
    else anotherCaptcha()
  }

  return (
    <LoginFrame words={t('login.welcome')}>
      {refused && <LoginRefusal {...refused} />}
      {proven ? (
        <OneTimeCodeForm
          account={proven.username}
          busy={busy}
          captchaCount={captchaCount}
          anotherCaptcha={anotherCaptcha}
          onCode={(otp, captcha) => logIn(proven, { otp, captcha })}
          back={leaveCode}
        />
      ) : (
        <LoginForm
          form={form}
          password={password}
          busy={busy}
          captcha={captchaCount !== undefined && <SlideCaptcha key={captchaCount} onAnswer={(answer) => void answerCaptcha(answer)} />}
          logIn={(credentials) => void logIn(credentials)}
          forget={() => setForgotten(true)}
        />
      )}
      {!isEncrypted() && <NotEncrypted />}
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
    </LoginFrame>
  )
}

function NotEncrypted() {
  const { t } = useTranslation('shell')
  return (
    <p className={styles.notEncrypted}>
      <UnlockOutlined />
      {t('login.notEncrypted')}
    </p>
  )
}

/** Start a session, and remind the user of a password that expires soon. @throws Refusal */
async function beginSession({ username, password }: Credentials, besides: Besides): Promise<void> {
  await obtainTokens(username, await encryptPassword(password), besides)
  await loadSession()
  const { profile } = useSession.getState()
  if (profile) void remindOfExpiry(profile)
}

/**
 * Handle the arrival on the page. After a logout it is loaded again, once; with a session that is still valid, or that another tab
 * starts meanwhile, no login is needed.
 */
function useArrival(): void {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const reload = search.get('reload') === '1'
  useEffect(() => {
    if (reload) {
      window.history.replaceState(null, '', `#${path('login')}`)
      return window.location.reload()
    }
    const goOn = (): void =>
      void freshToken()
        .then(loadSession)
        .then(
          () => navigate(takeReturnAddress() ?? path('home'), { replace: true }),
          () => {},
        )
    if (hasTokens()) goOn()
    return onLoginElsewhere(goOn)
  }, [navigate, reload])
}
