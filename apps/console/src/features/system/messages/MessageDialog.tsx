/** One message with its text: asked for only when somebody wants to see it, and may. */
import { Alert, Button, Modal } from 'antd'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { messageCalls, type OutgoingMessage } from '@gatehouse/contract/system/messages'
import { DetailPage, Facts } from '../../../kit/detail/DetailPage.tsx'
import { useRead } from '../../../api/query.ts'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import styles from '../system.module.css'

export function MessageDialog({ message, close }: { message: OutgoingMessage; close: () => void }) {
  const { t } = useTranslation('system')
  const withheld = message.textState === 'withheld'
  const read = useRead(messageCalls.message, { params: { id: message.id } }, { enabled: !withheld })
  return (
    <Modal
      open
      centered
      width={560}
      title={message.subject || t(`messages.${message.channel}`)}
      onCancel={close}
      footer={
        <Button type="primary" onClick={close}>
          {t('messages.close')}
        </Button>
      }
    >
      {withheld ? (
        <Said message={message}>
          <Alert type="info" showIcon title={t('messages.withheld')} description={t('messages.withheldWords')} />
        </Said>
      ) : (
        <DetailPage query={read}>
          {({ text, ...found }) => (
            <Said message={found}>
              {text === null ? (
                <Alert type="info" showIcon title={t(found.state === 'sent' ? 'messages.goneSent' : 'messages.goneExpired')} />
              ) : (
                <pre>{text}</pre>
              )}
            </Said>
          )}
        </DetailPage>
      )}
    </Modal>
  )
}

/** What became of a message, and below it what it says. */
function Said({ message: { to, state, createdAt, sentAt, reason }, children }: { message: OutgoingMessage; children: ReactNode }) {
  const { t } = useTranslation('system')
  return (
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
      {children}
    </div>
  )
}
