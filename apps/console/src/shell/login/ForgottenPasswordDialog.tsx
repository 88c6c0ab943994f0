/** A forgotten password: the user names the account, types the code from the e-mail, and chooses a new one. */
import { Alert, Button, Form, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { request } from '../../api/request.ts'
import { NewPasswordFields, type NewPasswordValues } from '../account/NewPasswordFields.tsx'
import { useSending } from '../account/passwordForm.ts'
import { encryptPasswords } from '../../api/encrypt.ts'
import styles from './login.module.css'

interface ForgottenPasswordDialogProps {
  /** The account that was typed into the login form. */
  account: string
  close: () => void
  /** Called when the new password is set; continues the login. */
  onChanged: (credentials: { username: string; password: string }) => void
}

interface Values extends NewPasswordValues {
  account: string
  code: string
}

const STEPS = ['account', 'code', 'password'] as const
type Step = (typeof STEPS)[number]

export function ForgottenPasswordDialog({ account: typed, close, onChanged }: ForgottenPasswordDialogProps) {
  const { t } = useTranslation('account')
  const id = useId()
  const [form] = Form.useForm<Values>()
  const { busy, failure, send } = useSending(form)
  const [step, setStep] = useState<Step>('account')
  const [account, setAccount] = useState(typed)
  const [sent, setSent] = useState<{ validMinutes: number; delivered: boolean }>()
  const [ticket, setTicket] = useState('')

  const sendCode = (to: string): Promise<boolean> =>
    send(async () => {
      setSent(await request(ownCalls.sendCode, { query: { account: to } }, { errors: 'inline' }))
      setAccount(to)
      setStep('code')
    })
  const checkCode = (code: string): Promise<boolean> =>
    send(async () => {
      setTicket((await request(ownCalls.checkCode, { body: { account, code: code.trim() } }, { errors: 'inline' })).ticket)
      setStep('password')
    })
  async function setPassword({ newPassword, confirmPassword }: NewPasswordValues): Promise<void> {
    const done = await send(async () => {
      await request(
        ownCalls.resetPassword,
        { body: { ticket, ...(await encryptPasswords({ newPassword, confirmPassword })) } },
        { errors: 'inline' },
      )
    })
    if (done) onChanged({ username: account, password: newPassword })
  }
  function next(values: Values): void {
    if (step === 'account') void sendCode(values.account.trim())
    else if (step === 'code') void checkCode(values.code)
    else void setPassword(values)
  }

  return (
    <Modal
      open
      title={t('forgotten.title')}
      width={480}
      centered
      mask={{ closable: false }}
      okText={t(`forgotten.next.${step}`)}
      okButtonProps={{ htmlType: 'submit', form: id }}
      confirmLoading={busy}
      onCancel={close}
    >
      <ol className={styles.steps}>
        {STEPS.map((one, at) => (
          <li key={one} aria-current={one === step ? 'step' : undefined} data-done={at < STEPS.indexOf(step) || undefined}>
            <i aria-hidden>{at + 1}</i>
            {t(`forgotten.step.${one}`)}
          </li>
        ))}
      </ol>
      <Form<Values>
        id={id}
        form={form}
        layout="vertical"
        requiredMark={false}
        initialValues={{ account: typed }}
        onFinish={next}
        className={styles.forgotten}
      >
        {failure && <Alert type="error" showIcon role="alert" title={failure} />}
        {step === 'account' && (
          <Form.Item
            name="account"
            label={t('forgotten.account')}
            extra={t('forgotten.accountHint')}
            rules={[{ required: true, whitespace: true, message: t('forgotten.accountRequired') }]}
          >
            <Input autoFocus autoComplete="username" maxLength={64} />
          </Form.Item>
        )}
        {step === 'code' && sent && (
          <>
            <Alert
              type={sent.delivered ? 'info' : 'warning'}
              showIcon
              title={t(sent.delivered ? 'forgotten.sent' : 'forgotten.kept', { account, minutes: sent.validMinutes })}
            />
            <Form.Item
              name="code"
              label={t('forgotten.code')}
              rules={[{ required: true, whitespace: true, message: t('forgotten.codeRequired') }]}
            >
              <Input autoFocus autoComplete="one-time-code" inputMode="numeric" maxLength={6} className={styles.code} />
            </Form.Item>
            <Button type="link" className={styles.again} disabled={busy} onClick={() => void sendCode(account)}>
              {t('forgotten.again')}
            </Button>
          </>
        )}
        {step === 'password' && <NewPasswordFields autoFocus />}
      </Form>
    </Modal>
  )
}
