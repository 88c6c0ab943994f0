/** Sends a trial message by a provider, and shows what became of it. */
import { Alert, Form, Input, Modal, Select } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataOf } from '@gatehouse/contract'
import { MESSAGE_OCCASIONS, messagingCalls, type MessageOccasion, type ProviderChannel } from '@gatehouse/contract/visitors/messaging'
import { FormBody } from '../../../kit/form/FormBody.tsx'
import { ready } from '../../../kit/form/loaded.ts'
import { useContractForm } from '../../../kit/form/useContractForm.ts'

interface Values {
  to: string
  occasion: MessageOccasion
}
type Outcome = DataOf<typeof messagingCalls.test>

export function TrialDialog({ channel, close }: { channel: ProviderChannel; close: () => void }) {
  const { t } = useTranslation('visitors')
  const id = useId()
  const [outcome, setOutcome] = useState<Outcome>()
  const isSms = channel === 'sms'
  const contract = useContractForm<typeof messagingCalls.test, Values>({
    call: messagingCalls.test,
    hidden: { channel },
    draft: `visitorTrial.${channel}`,
    done: '',
    onDone: setOutcome,
  })
  const leave = (): void => {
    contract.discard()
    close()
  }
  return (
    <Modal
      open
      centered
      width={460}
      title={t(`messaging.try.${channel}`)}
      okText={t('messaging.send')}
      cancelText={t('messaging.close')}
      okButtonProps={{ htmlType: 'submit', form: id }}
      confirmLoading={contract.pending}
      onCancel={leave}
    >
      <FormBody id={id} initial={ready<Values>({ to: '', occasion: 'approve' })} contract={contract}>
        <Form.Item name="to" label={t(isSms ? 'messaging.trialPhone' : 'messaging.trialUser')}>
          <Input autoFocus maxLength={64} autoComplete="off" />
        </Form.Item>
        <Form.Item name="occasion" label={t(isSms ? 'messaging.template' : 'messaging.about')}>
          <Select options={MESSAGE_OCCASIONS.map((value) => ({ value, label: t(`messaging.occasion.${value}`) }))} />
        </Form.Item>
      </FormBody>
      <div role="status">{outcome && <TrialResult outcome={outcome} />}</div>
    </Modal>
  )
}

function TrialResult({ outcome: { state, reason } }: { outcome: Outcome }) {
  const { t } = useTranslation('visitors')
  if (state === 'sent') return <Alert type="success" showIcon title={t('messaging.trialSent')} />
  return <Alert type="error" showIcon title={t('messaging.trialFailed', { reason: reason ?? '' })} />
}
