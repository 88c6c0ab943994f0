/** The account by which a park sends text messages, and its templates. */
import { useQueryClient } from '@tanstack/react-query'
import { Form, Input } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import {
  MESSAGE_OCCASIONS,
  MESSAGING_TEXT_MAX,
  messagingCalls,
  templateField,
  type SmsSettings,
} from '@gatehouse/contract/visitors/messaging'
import { readOptions } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { FormBody } from '../../../kit/form/FormBody.tsx'
import { ready } from '../../../kit/form/loaded.ts'
import { Setting } from '../../../kit/form/Setting.tsx'
import { useContractForm } from '../../../kit/form/useContractForm.ts'
import { MessagingFoot } from './MessagingFoot.tsx'
import { SecretField } from './SecretField.tsx'
import styles from './settings.module.css'

type Values = Omit<SmsSettings, 'version' | 'secretsSet'>

export function SmsForm({ settings: { version, secretsSet, ...values } }: { settings: SmsSettings }) {
  const { t } = useTranslation('visitors')
  const id = useId()
  const cache = useQueryClient()
  const park = useSession((session) => session.park?.areaCode ?? '')
  const contract = useContractForm<typeof messagingCalls.changeSms, Values>({
    call: messagingCalls.changeSms,
    hidden: { version },
    draft: `visitorSms.${park}`,
    done: t('saved'),
    onDone: (saved) => cache.setQueryData(readOptions(messagingCalls.readSms, {}).queryKey, saved),
  })
  const text = <Input maxLength={MESSAGING_TEXT_MAX} autoComplete="off" />
  return (
    <div className={styles.page}>
      <FormBody id={id} initial={ready(values)} contract={contract}>
        <Setting title={t('messaging.sms')} words={t('messaging.smsWords')}>
          <Form.Item name="uid" label={t('messaging.uid')} extra={t('messaging.uidWords')}>
            {text}
          </Form.Item>
          <Form.Item name="accessKey" label={t('messaging.accessKey')}>
            {text}
          </Form.Item>
          <Form.Item name="secret" label={t('messaging.secret')}>
            <SecretField isSet={secretsSet.includes('secret')} />
          </Form.Item>
          <Form.Item name="signature" label={t('messaging.signature')} extra={t('messaging.signatureWords')}>
            {text}
          </Form.Item>
        </Setting>
        <Setting title={t('messaging.templates')} words={t('messaging.templatesWords')}>
          {MESSAGE_OCCASIONS.map((occasion) => (
            <Form.Item
              key={occasion}
              name={templateField(occasion)}
              label={t(`messaging.occasion.${occasion}`)}
              extra={t(`messaging.occasionWords.${occasion}`)}
            >
              {text}
            </Form.Item>
          ))}
        </Setting>
      </FormBody>
      <MessagingFoot id={id} contract={contract} save={t('messaging.saveSms')} channels={['sms']} />
    </div>
  )
}
