/** The message of the login form about a refusal. */
import { Alert } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loginCode } from '@gatehouse/contract'
import type { Refusal } from '../../api/refusal.ts'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import { loginSentence } from './loginSentence.ts'
import styles from './login.module.css'

export interface LoginRefusalProps {
  refusal: Refusal
  /** Whether the refused try included the answer to a captcha. */
  captcha: boolean
}

/** The sentence of a refusal; for a lock, also until when. */
export function LoginRefusal({ refusal, captcha }: LoginRefusalProps) {
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

/** The end of a lock on the clock of the installation, and the time left. */
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
