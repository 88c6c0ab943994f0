/** Sends an e-mail to see whether any arrives, and says what became of it. */
import { Alert, Form, Input, Modal } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { USER_TEXT_MAX, type DataOf } from '@gatehouse/contract'
import { messageCalls } from '@gatehouse/contract/system/messages'
import { FormBody } from '../../../kit/form/FormBody.tsx'
import { ready } from '../../../kit/form/loaded.ts'
import { useContractForm } from '../../../kit/form/useContractForm.ts'

type Outcome = DataOf<(typeof messageCalls)['testMessage']>

export function TestDialog({ close }: { close: () => void }) {
  const { t } = useTranslation('system')
  const id = useId()
  const [outcome, setOutcome] = useState<Outcome>()
  const contract = useContractForm<typeof messageCalls.testMessage, { to: string }>({
    call: messageCalls.testMessage,
    draft: 'message.test',
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
      title={t('messages.test')}
      okText={t('messages.testSend')}
      cancelText={t('messages.close')}
      okButtonProps={{ htmlType: 'submit', form: id }}
      confirmLoading={contract.pending}
      onCancel={leave}
    >
      <FormBody id={id} initial={ready({ to: '' })} contract={contract}>
        <Form.Item name="to" label={t('messages.testTo')}>
          <Input type="email" autoFocus maxLength={USER_TEXT_MAX} />
        </Form.Item>
      </FormBody>
      <div role="status">{outcome && <Said outcome={outcome} />}</div>
    </Modal>
  )
}

function Said({ outcome: { state, reason } }: { outcome: Outcome }) {
  const { t } = useTranslation('system')
  if (state === 'sent') return <Alert type="success" showIcon title={t('messages.testSent')} />
  if (state === 'kept') return <Alert type="warning" showIcon title={t('messages.testKept')} />
  return <Alert type="error" showIcon title={t('messages.testFailed', { reason: reason ?? '' })} />
}
