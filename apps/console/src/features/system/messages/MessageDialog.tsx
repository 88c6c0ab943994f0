/** One message with its text: asked for only when somebody wants to see it. */
import { Button, Modal } from 'antd'
import { useTranslation } from 'react-i18next'
import { messageCalls } from '@gatehouse/contract/system/messages'
import { DetailPage, Facts } from '../../../kit/DetailPage.tsx'
import { useRead } from '../../../kit/query.ts'
import { RelativeTime } from '../../../kit/RelativeTime.tsx'
import styles from '../system.module.css'

export function MessageDialog({ id, close }: { id: string; close: () => void }) {
  const { t } = useTranslation('system')
  const message = useRead(messageCalls.message, { params: { id } })
  return (
    <Modal
      open
      centered
      width={560}
      title={message.data?.subject || t('messages.text')}
      onCancel={close}
      footer={
        <Button type="primary" onClick={close}>
          {t('messages.close')}
        </Button>
      }
    >
      <DetailPage query={message}>
        {({ to, state, createdAt, sentAt, reason, text }) => (
          <div className={styles.message}>
            <Facts
              facts={[
                [t('messages.to'), to],
                [t('messages.state'), t(`messages.${state}`)],
                [t('messages.createdAt'), <RelativeTime key="created" at={createdAt} />],
                [t('messages.sentAt'), <RelativeTime key="sent" at={sentAt} />],
                ...(reason === null ? [] : [[t('messages.reason'), reason] as [string, string]]),
              ]}
            />
            <pre>{text}</pre>
          </div>
        )}
      </DetailPage>
    </Modal>
  )
}
