/** Changes the user's own password. */
import { Alert, Form, Input, Modal } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { ownCalls } from '@gatehouse/contract/identity/own'
import { toast } from '../../kit/feedback.tsx'
import { request } from '../../api/request.ts'
import { endSession } from '../../api/session.ts'
import { path } from '../../paths.ts'
import { encryptPasswords } from '../../api/encrypt.ts'
import type { DialogProps } from './lateDialog.tsx'
import { NewPasswordFields, type NewPasswordValues } from './NewPasswordFields.tsx'
import { useSending } from './passwordForm.ts'
import styles from './account.module.css'

interface Values extends NewPasswordValues {
  oldPassword: string
}

export default function ChangePasswordForm({ open, close }: DialogProps) {
  const { t } = useTranslation('account')
  const id = useId()
  const [form] = Form.useForm<Values>()
  const { busy, failure, send } = useSending(form)

  async function change(values: Values): Promise<void> {
    const done = await send(async () => {
      await request(
        ownCalls.changePassword,
        {
          body: await encryptPasswords({
            oldPassword: values.oldPassword,
            newPassword: values.newPassword,
            confirmPassword: values.confirmPassword,
          }),
        },
        { errors: 'inline' },
      )
    })
    if (!done) return
    close()
    // All sessions have ended with the old password, this one too.
    endSession(path('login'))
    toast('success', t('password.changed'))
  }

  return (
    <Modal
      open={open}
      title={t('password.title')}
      width={460}
      centered
      destroyOnHidden
      mask={{ closable: false }}
      okText={t('password.save')}
      okButtonProps={{ htmlType: 'submit', form: id }}
      confirmLoading={busy}
      onCancel={close}
    >
      <Form<Values>
        id={id}
        form={form}
        layout="vertical"
        requiredMark={false}
        className={styles.form}
        onFinish={(values) => void change(values)}
      >
        {failure && <Alert type="error" showIcon role="alert" title={failure} />}
        <Form.Item
          name="oldPassword"
          label={t('password.old')}
          rules={[{ required: true, message: t('password.oldRequired') }]}
          validateTrigger="onSubmit"
        >
          <Input.Password autoFocus autoComplete="current-password" maxLength={64} />
        </Form.Item>
        <NewPasswordFields />
        <p className={styles.hint}>{t('password.endsSessions')}</p>
      </Form>
    </Modal>
  )
}
