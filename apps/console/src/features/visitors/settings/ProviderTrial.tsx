/** Sends a trial message by a provider, and shows what became of it. */
import { Alert, Form, Input, Select } from 'antd'
import { useTranslation } from 'react-i18next'
import type { DataOf } from '@gatehouse/contract'
import { MESSAGE_OCCASIONS, messagingCalls, type MessageOccasion, type ProviderChannel } from '@gatehouse/contract/visitors/messaging'
import { TrialDialog } from '../../../kit/form/TrialDialog.tsx'

const INITIAL: { to: string; occasion: MessageOccasion } = { to: '', occasion: 'approve' }

export function ProviderTrial({ channel, close }: { channel: ProviderChannel; close: () => void }) {
  const { t } = useTranslation('visitors')
  const isSms = channel === 'sms'
  return (
    <TrialDialog
      call={messagingCalls.test}
      hidden={{ channel }}
      draft={`visitorTrial.${channel}`}
      initial={INITIAL}
      texts={{ title: t(`messaging.try.${channel}`), send: t('messaging.send'), close: t('messaging.close') }}
      close={close}
      outcomeOf={(outcome) => <Outcome outcome={outcome} />}
    >
      <Form.Item name="to" label={t(isSms ? 'messaging.trialPhone' : 'messaging.trialUser')}>
        <Input autoFocus maxLength={64} autoComplete="off" />
      </Form.Item>
      <Form.Item name="occasion" label={t(isSms ? 'messaging.template' : 'messaging.about')}>
        <Select options={MESSAGE_OCCASIONS.map((value) => ({ value, label: t(`messaging.occasion.${value}`) }))} />
      </Form.Item>
    </TrialDialog>
  )
}

function Outcome({ outcome: { state, reason } }: { outcome: DataOf<typeof messagingCalls.test> }) {
  const { t } = useTranslation('visitors')
  if (state === 'sent') return <Alert type="success" showIcon title={t('messaging.trialSent')} />
  return <Alert type="error" showIcon title={t('messaging.trialFailed', { reason: reason ?? '' })} />
}
