/** The dialog that gives an account a new initial password: it shows what ends with the old one, and asks how the new one is delivered. */
import { Alert, Modal, Radio } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { userCalls, type User } from '@gatehouse/contract/identity/users'
import { useRead } from '../../../api/query.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import styles from '../identity.module.css'
import type { Handed } from './PasswordOnce.tsx'

interface ResetDialogProps {
  user: Pick<User, 'id' | 'account' | 'email'>
  onHanded: (handed: Handed) => void
  close: () => void
}

export default function ResetDialog({ user: { id, account, email }, onHanded, close }: ResetDialogProps) {
  const { t } = useTranslation('identity')
  const { data: login } = useRead(identityCalls.loginConfig, {})
  const [mailed, setMailed] = useState(false)
  const reset = useWrite(userCalls.resetPassword, {
    onDone: (answer) => {
      close()
      onHanded({ account, ...answer })
    },
  })
  return (
    <Modal
      open
      centered
      title={t('password.resetOf', { account })}
      okText={t('password.reset')}
      cancelText={t('common:cancel')}
      confirmLoading={reset.pending}
      onOk={() => reset.run({ params: { id }, body: { sendByEmail: mailed } })}
      onCancel={close}
    >
      <Alert type="info" showIcon title={t('password.resetWords')} />
      <Radio.Group
        className={styles.choices ?? ''}
        style={{ paddingTop: 16 }}
        aria-label={t('password.first')}
        value={mailed}
        onChange={({ target }) => setMailed(target.value === true)}
        options={[
          { value: false, label: t('password.shown') },
          { value: true, label: email ? t('password.mailedTo', { address: email }) : t('password.noAddress'), disabled: !email },
        ]}
      />
      {mailed && login?.mailDelivers === false && <p className={styles.dropped}>{t('password.outbox')}</p>}
    </Modal>
  )
}
