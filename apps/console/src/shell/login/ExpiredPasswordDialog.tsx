/** Replaces a first or expired password before the login continues. */
import { Alert, Form, Modal } from 'antd'
import { useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { loginCode } from '@gatehouse/contract'
import { ownCalls } from '@gatehouse/contract/identity/own'
import type { Refusal } from '../../api/refusal.ts'
import { request } from '../../api/request.ts'
import { storage } from '../../api/storage.ts'
import { NewPasswordFields, type NewPasswordValues } from '../account/NewPasswordFields.tsx'
import { OneTimeCodeField, type OneTimeCodeValues } from '../account/OneTimeCodeField.tsx'
import { useSending } from '../account/passwordForm.ts'
import { encryptPasswords } from '../../api/encrypt.ts'
import { loginSentence } from './loginSentence.ts'
import { SlideCaptcha } from './SlideCaptcha.tsx'
import styles from '../account/account.module.css'

interface ExpiredPasswordDialogProps {
  /** The input of the login: a right password that has expired. */
  credentials: { username: string; password: string }
  close: () => void
  /** Continues the login. */
  onChanged: (password: string) => void
}

/** With the code where the account has a second factor. */
type Values = NewPasswordValues & Partial<OneTimeCodeValues>

export function ExpiredPasswordDialog({ credentials, close, onChanged }: ExpiredPasswordDialogProps) {
  const { t } = useTranslation('account')
  const id = useId()
  const [form] = Form.useForm<Values>()
  const { busy, failure, send } = useSending(form)

  /** Number of captchas requested so far; undefined: none is needed. */
  const [captchaCount, setCaptchaCount] = useState<number>()
  const anotherCaptcha = (): void => setCaptchaCount((count) => (count ?? 0) + 1)

  const [isCodeRequired, setCodeRequired] = useState(false)

  /** Show the refusals that need a captcha or a code in places of their own. Return whether one was shown. */
  function place(refusal: Refusal, captcha: string | undefined): boolean {
    const isCaptcha = refusal.code === loginCode.captchaFailed
    // A captcha is valid for one try, whatever the outcome.
    if (isCaptcha || captcha !== undefined || refusal.data['captcha'] === true) anotherCaptcha()
    if (isCaptcha) return captcha === undefined
    if (refusal.code !== loginCode.secondFactorNeeded && refusal.code !== loginCode.secondFactorWrong) return false
    flushSync(() => setCodeRequired(true))
    if (refusal.code === loginCode.secondFactorWrong) form.setFields([{ name: 'code', value: '', errors: [loginSentence(refusal)] }])
    form.getFieldInstance('code')?.focus?.()
    return true
  }
  async function change({ newPassword, confirmPassword, code: otp }: Values, captcha?: string): Promise<void> {
    const done = await send(
      async () => {
        const passwords = await encryptPasswords({ oldPassword: credentials.password, newPassword, confirmPassword })
        const body = { account: credentials.username, ...passwords, captcha, otp, knownDevice: storage.get('knownDevice') }
        await request(ownCalls.changeExpired, { body }, { errors: 'inline' })
      },
      (refusal) => place(refusal, captcha),
    )
    if (done) onChanged(newPassword)
  }

  async function answerCaptcha(answer: string): Promise<void> {
    const values = await form.validateFields().catch(() => undefined)
    if (values) await change(values, answer)
    else anotherCaptcha()
  }

  return (
    <Modal
      open
      title={t('expired.title')}
      width={460}
      centered
      mask={{ closable: false }}
      okText={t('expired.save')}
      okButtonProps={{ htmlType: 'submit', form: id }}
      confirmLoading={busy}
      onCancel={close}
    >
      <Form<Values>
        id={id}
        name={id}
        form={form}
        layout="vertical"
        requiredMark={false}
        className={styles.form}
        onFinish={(values) => void change(values)}
      >
        <Alert type="info" showIcon title={t('expired.words', { account: credentials.username })} />
        {failure && <Alert type="error" showIcon role="alert" title={failure} />}
        <NewPasswordFields autoFocus />
        {isCodeRequired && <OneTimeCodeField />}
        {captchaCount !== undefined && <SlideCaptcha key={captchaCount} onAnswer={(answer) => void answerCaptcha(answer)} />}
      </Form>
    </Modal>
  )
}
