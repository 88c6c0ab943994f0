/** /login: who are you. */
import { UnlockOutlined } from '@ant-design/icons'
import { Button, Form, Input, type InputRef, Alert } from 'antd'
import { useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { loginCode, PASSWORD_MIN } from '@gatehouse/contract'
import { isEncrypted } from '../../api/encrypted.ts'
import { toast } from '../../kit/feedback.tsx'
import { Refusal } from '../../api/refusal.ts'
import { loadSession, useSession } from '../../api/session.ts'
import { freshToken, hasTokens, obtainTokens, type Besides } from '../../api/tokens.ts'
import { path } from '../../paths.ts'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import { remindOfExpiry } from '../account/expiryReminder.ts'
import { takeWantedAddress } from '../guard.ts'
import { onLoginElsewhere } from '../session/otherTabs.ts'
import { encryptPassword, prepareEncryption } from '../../api/encrypt.ts'
import { ExpiredPasswordDialog } from './ExpiredPasswordDialog.tsx'
import { ForgottenPasswordDialog } from './ForgottenPasswordDialog.tsx'
import { LoginFrame } from './LoginFrame.tsx'
import { loginSentence } from './loginSentence.ts'
import { OneTimeCodeForm } from './OneTimeCodeForm.tsx'
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
  const [refused, setRefused] = useState<{ refusal: Refusal; captcha: boolean }>()
  const [busy, setBusy] = useState(false)
  /** Whose password is right: a one-time code is asked for besides. */
  const [proven, setProven] = useState<Credentials>()
  const [expired, setExpired] = useState<Credentials>()
  const [forgotten, setForgotten] = useState(false)
  /** Counts the captchas asked for; undefined: none is. */
  const [captchaRound, setCaptchaRound] = useState<number>()
  const [form] = Form.useForm<Credentials>()
  const password = useRef<InputRef>(null)
  const anotherCaptcha = (): void => setCaptchaRound((round) => (round ?? 0) + 1)
  useArrival()
  // A session that ended leaves the page it was on, and its title.
  useEffect(() => {
    document.title = t('product')
  }, [t])

  function leaveCode(): void {
    flushSync(() => setProven(undefined))
    password.current?.focus()
  }

  /** @returns what is wrong with the one-time code, if that is what was refused */
  function show(refusal: Refusal, credentials: Credentials, { captcha }: Besides): string | undefined {
    // A locked account takes no tries, so there is nothing to prove.
    if (refusal.code === loginCode.captchaFailed || refusal.data['captcha'] === true) anotherCaptcha()
    else setCaptchaRound(undefined)
    const isWrongCode = refusal.code === loginCode.secondFactorWrong
    if (isWrongCode || refusal.code === loginCode.secondFactorNeeded) {
      setProven(credentials)
      return isWrongCode ? loginSentence(refusal) : undefined
    }
    setRefused({ refusal, captcha: captcha !== undefined })
    // Only the captcha was wrong: what was typed stays.
    if (refusal.code === loginCode.captchaFailed) return undefined
    if (refusal.code === loginCode.passwordExpired) setExpired(credentials)
    form.setFieldValue('password', '')
    leaveCode()
    return undefined
  }

  /** @returns what is wrong with the one-time code, if that is what was refused */
  async function logIn({ username: typed, password: plain }: Credentials, besides: Besides = {}): Promise<string | undefined> {
    const username = typed.trim()
    setBusy(true)
    setRefused(undefined)
    try {
      await obtainTokens(username, await encryptPassword(plain), besides)
      await loadSession()
      const { profile } = useSession.getState()
      if (profile) void remindOfExpiry(profile)
      await navigate(takeWantedAddress() ?? path('home'), { replace: true })
      return undefined
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return show(error, { username, password: plain }, besides)
    } finally {
      setBusy(false)
    }
  }

  /** Goes on with a password that was just set. */
  function goOn(credentials: Credentials): void {
    setExpired(undefined)
    setForgotten(false)
    setProven(undefined)
    setCaptchaRound(undefined)
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
          captchaRound={captchaRound}
          anotherCaptcha={anotherCaptcha}
          onCode={(otp, captcha) => logIn(proven, { otp, captcha })}
          back={leaveCode}
        />
      ) : (
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
      )}
      {!isEncrypted() && (
        <p className={styles.notEncrypted}>
          <UnlockOutlined />
          {t('login.notEncrypted')}
        </p>
      )}
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

/**
 * After a logout the page is loaded afresh, once; with a session that is still good, or that another tab begins meanwhile, there is
 * nothing to log in to.
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
          () => navigate(takeWantedAddress() ?? path('home'), { replace: true }),
          () => {},
        )
    if (hasTokens()) goOn()
    return onLoginElsewhere(goOn)
  }, [navigate, reload])
}

interface LoginRefusalProps {
  refusal: Refusal
  /** Whether the try that was refused answered a captcha. */
  captcha: boolean
}

/** What the login form says about a refusal; of a lock also until when. */
function LoginRefusal({ refusal, captcha }: LoginRefusalProps) {
  const { lockedUntil } = refusal.data
  const isQuestion = refusal.code === loginCode.captchaFailed && !captcha
  return (
    <Alert
      type={isQuestion ? 'info' : 'error'}
      showIcon
      role="alert"
      className={styles.refusal}
      title={loginSentence(refusal, { captcha })}
      {...(refusal.code === loginCode.accountLocked && typeof lockedUntil === 'number' && { description: <Lock until={lockedUntil} /> })}
    />
  )
}

/** How long it still lasts, on the clock of the installation. */
function Lock({ until }: { until: number }) {
  const { t } = useTranslation('account')
  const { offset } = useZoneOffset()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000)
    return () => clearInterval(timer)
  }, [])
  const minutes = Math.ceil((until - now) / 60_000)
  return minutes > 0 ? t('lock.until', { time: formatInstant(until, offset).slice(11, 16), count: minutes }) : t('lock.over')
}
