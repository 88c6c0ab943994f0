/** A first or expired password has to be replaced before the login goes on. */
import { Alert, Form, Modal } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { request } from '../../kit/request.ts'
import { NewPasswordFields, type NewPasswordValues } from '../account/NewPasswordFields.tsx'
import { useSending } from '../account/passwordForm.ts'
import { encryptPasswords } from '../../kit/encrypt.ts'
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

  async function change({ newPassword, confirmPassword }: NewPasswordValues): Promise<void> {
    const done = await send(async () => {
      const passwords = await encryptPasswords({ oldPassword: credentials.password, newPassword, confirmPassword })
      await request(ownCalls.changeExpired, { body: { account: credentials.username, ...passwords } }, { errors: 'inline' })
    })
    if (done) onChanged(newPassword)
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
      </Form>
    </Modal>
  )
}
