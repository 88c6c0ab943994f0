/** The new password of an account, shown once, or the address it was mailed to. */
import { Alert, Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import type { OutputOf } from '@gatehouse/contract'
import type { handedPassword } from '@gatehouse/contract/identity/users'
import { SecretOnce } from '../../../kit/form/SecretOnce.tsx'

export type Handed = OutputOf<typeof handedPassword> & { account: string }

export default function PasswordOnce({ handed: { account, initialPassword, sentTo }, close }: { handed: Handed; close: () => void }) {
  const { t } = useTranslation('identity')
  if (initialPassword !== undefined) {
    return (
      <SecretOnce
        title={t('password.of', { account })}
        words={t('password.lost')}
        values={[
          { name: t('user.account'), value: account },
          { name: t('password.first'), value: initialPassword },
        ]}
        close={close}
      />
    )
  }
  return (
    <Modal
      open
      centered
      title={t('password.of', { account })}
      onCancel={close}
      footer={
        <Button type="primary" onClick={close}>
          {t('done')}
        </Button>
      }
    >
      <Alert type="success" showIcon title={t('password.sentTo', { address: sentTo })} description={t('password.mustChange')} />
    </Modal>
  )
}
