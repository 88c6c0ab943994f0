/** /messageOutbox: e-mails and text messages that were sent, or would have been. */
import { Alert, Button, Modal, Form, Input } from 'antd'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { messageCalls, messageState, type MessageState, type OutgoingMessage } from '@gatehouse/contract/system/messages'
import { USER_TEXT_MAX, type DataOf } from '@gatehouse/contract'
import { afterConfirmation } from '../../../api/confirmation.ts'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { useRead } from '../../../api/query.ts'
import { RelativeTime } from '../../../kit/detail/RelativeTime.tsx'
import { RowMenu } from '../../../kit/list/RowMenu.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useList } from '../../../kit/list/useList.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import type { Status } from '../../../theme/tokens.ts'
import { DetailPage, Facts } from '../../../kit/detail/DetailPage.tsx'
import { TrialDialog } from '../../../kit/form/TrialDialog.tsx'
import styles from '../system.module.css'

const STATUS: Record<MessageState, Status> = { waiting: 'wait', sent: 'ok', failed: 'bad', kept: 'off' }

export default function OutboxPage() {
  const { t } = useTranslation('system')
  const list = useList(messageCalls.messages, { name: 'messages' })
  const { data: info } = useRead(installationCalls.info, {})
  const [open, setOpen] = useState<OutgoingMessage>()
  const [testing, setTesting] = useState(false)
  const retry = useWrite(messageCalls.retryMessage, { done: t('messages.retried') })
  const delivers = info?.mail === true
  const show = (message: OutgoingMessage): void =>
    message.textState === 'withheld' ? setOpen(message) : afterConfirmation(() => setOpen(message))
  const columns = columnsOf<OutgoingMessage>([
    { field: 'createdAt', title: t('messages.createdAt'), width: 100, render: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    { field: 'channel', title: t('messages.channel'), width: 80, render: ({ channel }) => t(`messages.${channel}`) },
    { field: 'to', title: t('messages.to'), width: 180, visibility: 'always' },
    {
      field: 'subject',
      title: t('messages.subject'),
      width: 170,
      render: ({ subject, textState }) =>
        textState === 'withheld' ? <span className={styles.none}>{t('messages.withheld')}</span> : subject,
    },
    {
      field: 'state',
      title: t('messages.state'),
      width: 100,
      render: ({ state }) => <StatusTag status={STATUS[state]}>{t(`messages.${state}`)}</StatusTag>,
    },
    { field: 'sentAt', title: t('messages.sentAt'), width: 100, render: ({ sentAt }) => <RelativeTime at={sentAt} /> },
    { field: 'reason', title: t('messages.reason'), width: 150 },
    { field: 'attempts', title: t('messages.attempts'), width: 80, visibility: 'hidden' },
    {
      field: 'nextAt',
      title: t('messages.nextAt'),
      width: 110,
      visibility: 'hidden',
      render: ({ nextAt }) => <RelativeTime at={nextAt} />,
    },
  ])
  return (
    <Screen
      title={t('shell:title.messageOutbox')}
      note={!list.pending && t('messages.total', { count: list.total })}
      actions={<Button onClick={() => setTesting(true)}>{t('messages.test')}</Button>}
    >
      {info && (delivers ? null : <NotDelivered />)}
      <p className={styles.words}>
        {delivers && `${t('messages.onTitle')} `}
        {t('messages.words')}
      </p>
      <FilterBar
        list={list}
        filters={[
          {
            field: 'state',
            label: t('messages.state'),
            options: messageState.options.map((value) => ({ value, label: t(`messages.${value}`) })),
          },
        ]}
      >
        <ListTools list={list} columns={columns} />
      </FilterBar>
      <ListTable
        list={list}
        columns={columns}
        empty={{ title: t('messages.none') }}
        onOpen={show}
        actions={(message) => (
          <RowMenu
            name={message.to}
            actions={[
              { key: 'show', label: t('messages.show'), run: () => show(message) },
              {
                key: 'retry',
                label: t('messages.retry'),
                allowed: message.can.retry,
                run: () => retry.run({ params: { id: message.id } }),
              },
            ]}
          />
        )}
      />
      {open !== undefined && <MessageDialog key={open.id} message={open} close={() => setOpen(undefined)} />}
      {testing && <TestDialog close={() => setTesting(false)} />}
    </Screen>
  )
}

/** A note that no messages are sent, and how to change that. */
function NotDelivered() {
  const { t } = useTranslation('system')
  return (
    <Alert
      type="warning"
      showIcon
      className={styles.state}
      title={t('messages.offTitle')}
      description={
        <>
          {t('messages.offWords')} <code>SMTP_URL=smtp://user:password@mail.example.org:587</code> {t('messages.offWords2')}
        </>
      }
    />
  )
}

/** One message with its text, which is read only here, and only where the user may see it. */
function MessageDialog({ message, close }: { message: OutgoingMessage; close: () => void }) {
  const { t } = useTranslation('system')
  const isTextHidden = message.textState === 'withheld'
  const read = useRead(messageCalls.message, { params: { id: message.id } }, { enabled: !isTextHidden })
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
      {isTextHidden ? (
        <MessageFacts message={message}>
          <Alert type="info" showIcon title={t('messages.withheld')} description={t('messages.withheldWords')} />
        </MessageFacts>
      ) : (
        <DetailPage query={read}>
          {({ text, ...found }) => (
            <MessageFacts message={found}>
              {text === null ? (
                <Alert type="info" showIcon title={t(found.state === 'sent' ? 'messages.goneSent' : 'messages.goneExpired')} />
              ) : (
                <pre>{text}</pre>
              )}
            </MessageFacts>
          )}
        </DetailPage>
      )}
    </Modal>
  )
}

/** The state of a message, with its text below. */
function MessageFacts({ message: { to, state, createdAt, sentAt, reason }, children }: { message: OutgoingMessage; children: ReactNode }) {
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

type Outcome = DataOf<(typeof messageCalls)['testMessage']>

/** Sends a test e-mail and shows the outcome. */
function TestDialog({ close }: { close: () => void }) {
  const { t } = useTranslation('system')
  return (
    <TrialDialog
      call={messageCalls.testMessage}
      draft="message.test"
      initial={{ to: '' }}
      texts={{ title: t('messages.test'), send: t('messages.testSend'), close: t('messages.close') }}
      close={close}
      outcomeOf={(outcome) => <TestResult outcome={outcome} />}
    >
      <Form.Item name="to" label={t('messages.testTo')}>
        <Input type="email" autoFocus maxLength={USER_TEXT_MAX} />
      </Form.Item>
    </TrialDialog>
  )
}

function TestResult({ outcome: { state, reason } }: { outcome: Outcome }) {
  const { t } = useTranslation('system')
  if (state === 'sent') return <Alert type="success" showIcon title={t('messages.testSent')} />
  if (state === 'kept') return <Alert type="warning" showIcon title={t('messages.testKept')} />
  return <Alert type="error" showIcon title={t('messages.testFailed', { reason: reason ?? '' })} />
}
