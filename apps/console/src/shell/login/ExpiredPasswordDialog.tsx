/** A first or expired password has to be replaced before the login goes on. */
import { Alert, Form, Modal } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loginCode } from '@gatehouse/contract'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { Refusal } from '../../kit/refusal.ts'
import { request } from '../../kit/request.ts'
import { storage } from '../../kit/storage.ts'
import { NewPasswordFields, type NewPasswordValues } from '../account/NewPasswordFields.tsx'
import { useSending } from '../account/passwordForm.ts'
import { encryptPasswords } from '../../kit/encrypt.ts'
import { SlideCaptcha } from './SlideCaptcha.tsx'
import styles from '../account/account.module.css'

interface ExpiredPasswordDialogProps {
  /** What was just typed: a right password that has expired. */
  credentials: { username: string; password: string }
  close: () => void
  /** Goes on with the login. */
  onChanged: (password: string) => void
}

export function ExpiredPasswordDialog({ credentials, close, onChanged }: ExpiredPasswordDialogProps) {
  const { t } = useTranslation('account')
  const id = useId()
  const [form] = Form.useForm<NewPasswordValues>()
  const { busy, failure, send } = useSending(form)

  /** Counts the captchas asked for; undefined: none is. */
  const [captchaRound, setCaptchaRound] = useState<number>()
  const anotherCaptcha = (): void => setCaptchaRound((round) => (round ?? 0) + 1)

  async function change({ newPassword, confirmPassword }: NewPasswordValues, captcha?: string): Promise<void> {
    const done = await send(async () => {
      const passwords = await encryptPasswords({ oldPassword: credentials.password, newPassword, confirmPassword })
      const body = { account: credentials.username, ...passwords, captcha, knownDevice: storage.get('knownDevice') }
      try {
        await request(ownCalls.changeExpired, { body }, { errors: 'inline' })
      } catch (error) {
        // A captcha is good for one try, whatever came of it.
        if (captcha !== undefined || (error instanceof Refusal && error.code === loginCode.captchaFailed)) anotherCaptcha()
        throw error
      }
    })
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
      <Form<NewPasswordValues>
        id={id}
        form={form}
        layout="vertical"
        requiredMark={false}
        className={styles.form}
        onFinish={(values) => void change(values)}
      >
        <Alert type="info" showIcon title={t('expired.words', { account: credentials.username })} />
        {failure && <Alert type="error" showIcon role="alert" title={failure} />}
        <NewPasswordFields autoFocus />
        {captchaRound !== undefined && <SlideCaptcha key={captchaRound} onAnswer={(answer) => void answerCaptcha(answer)} />}
      </Form>
    </Modal>
  )
}
