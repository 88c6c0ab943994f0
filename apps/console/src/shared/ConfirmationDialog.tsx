/** Asks the user for their password, before something for which an open session is not enough. */
import { Alert, Form, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { code } from '@gatehouse/contract'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { encryptPassword } from '../api/encrypt.ts'
import { Refusal, sentenceOf } from '../api/refusal.ts'
import { request } from '../api/request.ts'

/** Above the form (1000) or question (2000) that asks for it, and below messages (2010). */
const ABOVE = 2005

export default function ConfirmationDialog({ end }: { end: (confirmed: boolean) => void }) {
  const { t } = useTranslation()
  const id = useId()
  const [form] = Form.useForm<{ password: string }>()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()

  async function send({ password }: { password: string }): Promise<void> {
    setBusy(true)
    setFailure(undefined)
    try {
      await request(ownCalls.confirm, { body: { password: await encryptPassword(password) } }, { errors: 'inline' })
      end(true)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (error.code === code.wrongCredentials) form.setFields([{ name: 'password', errors: [t('confirmation.wrong')] }])
      // The server's own message about a lock says until when.
      else setFailure(error.message || sentenceOf(error))
      form.getFieldInstance('password')?.focus?.()
    } finally {
      setBusy(false)
    }
  }

  return (
    <Modal
      open
      title={t('confirmation.title')}
      width={420}
      centered
      zIndex={ABOVE}
      mask={{ closable: false }}
      okText={t('confirmation.confirm')}
      cancelText={t('cancel')}
      okButtonProps={{ htmlType: 'submit', form: id }}
      confirmLoading={busy}
      onCancel={() => end(false)}
      // A question that closes while this opens moves the focus back to its origin.
      afterOpenChange={(open) => open && form.getFieldInstance('password')?.focus?.()}
    >
      {/* The form is named, so that its field does not get the id of one with the same name on the page below. */}
      <Form id={id} name={id} form={form} layout="vertical" requiredMark={false} onFinish={(values) => void send(values)}>
        <p>{t('confirmation.words')}</p>
        {failure && <Alert type="error" showIcon role="alert" title={failure} />}
        <Form.Item
          name="password"
          label={t('confirmation.password')}
          rules={[{ required: true, message: t('confirmation.required') }]}
          validateTrigger="onSubmit"
        >
          <Input.Password autoFocus autoComplete="current-password" maxLength={64} />
        </Form.Item>
      </Form>
    </Modal>
  )
}
