/** The second step of a login: the password is right, and the account has a second factor. */
import { Button, Form } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { OneTimeCodeField, type OneTimeCodeValues } from '../account/OneTimeCodeField.tsx'
import { SlideCaptcha } from './SlideCaptcha.tsx'
import styles from './login.module.css'

interface OneTimeCodeFormProps {
  account: string
  busy: boolean
  /** Number of captchas requested so far; undefined: none is needed. */
  captchaCount: number | undefined
  anotherCaptcha: () => void
  /** Tries to log in; resolves to what is wrong with the code, if that was refused. */
  onCode: (code: string, captcha?: string) => Promise<string | undefined>
  back: () => void
}

export function OneTimeCodeForm({ account, busy, captchaCount, anotherCaptcha, onCode, back }: OneTimeCodeFormProps) {
  const { t } = useTranslation('account')
  const { t: ts } = useTranslation('shell')
  const [form] = Form.useForm<OneTimeCodeValues>()
  /** Whether the code is being sent. */
  const [isSent, setSent] = useState(false)

  async function send({ code }: OneTimeCodeValues, captcha?: string): Promise<void> {
    if (isSent) return
    setSent(true)
    const fault = await onCode(code, captcha).finally(() => setSent(false))
    if (fault === undefined) return
    form.setFields([{ name: 'code', value: '', errors: [fault] }])
    form.getFieldInstance('code')?.focus?.()
  }
  async function answerCaptcha(answer: string): Promise<void> {
    const values = await form.validateFields().catch(() => undefined)
    if (values) await send(values, answer)
    else anotherCaptcha()
  }

  return (
    <Form form={form} layout="vertical" size="large" requiredMark={false} onFinish={(values) => void send(values)}>
      <h2 className={styles.stepTitle}>{t('oneTime.title')}</h2>
      <p className={styles.stepWords}>{t('oneTime.words', { account })}</p>
      {/* With a captcha, the code is not sent when it is complete: releasing the piece sends both. */}
      <OneTimeCodeField extra={t('oneTime.extra')} {...(captchaCount === undefined && { onComplete: form.submit })} />
      {captchaCount !== undefined && <SlideCaptcha key={captchaCount} onAnswer={(answer) => void answerCaptcha(answer)} />}
      <Button type="primary" htmlType="submit" block loading={busy}>
        {ts('login.submit')}
      </Button>
      <Button type="link" size="small" className={styles.forgot} onClick={back}>
        {t('oneTime.back')}
      </Button>
    </Form>
  )
}
