/** The mini program and the official account by which a park sends messages in WeChat. */
import { useQueryClient } from '@tanstack/react-query'
import { Form, Input } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { MESSAGING_TEXT_MAX, messagingCalls, type WechatSettings } from '@gatehouse/contract/visitors/messaging'
import { readOptions } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { FormBody } from '../../../kit/form/FormBody.tsx'
import { ready } from '../../../kit/form/loaded.ts'
import { Setting } from '../../../kit/form/Setting.tsx'
import { useContractForm } from '../../../kit/form/useContractForm.ts'
import { MessagingFoot } from './MessagingFoot.tsx'
import { SecretField } from './SecretField.tsx'
import styles from './settings.module.css'

type Values = Omit<WechatSettings, 'version' | 'secretsSet'>

const KINDS = ['miniProgram', 'officialAccount'] as const
const KEYWORDS = ['park', 'time', 'state'] as const

export function WechatForm({ settings: { version, secretsSet, ...values } }: { settings: WechatSettings }) {
  const { t } = useTranslation('visitors')
  const id = useId()
  const cache = useQueryClient()
  const park = useSession((session) => session.park?.areaCode ?? '')
  const contract = useContractForm<typeof messagingCalls.changeWechat, Values>({
    call: messagingCalls.changeWechat,
    hidden: { version },
    draft: `visitorWechat.${park}`,
    done: t('saved'),
    onDone: (saved) => cache.setQueryData(readOptions(messagingCalls.readWechat, {}).queryKey, saved),
  })
  return (
    <div className={styles.page}>
      <FormBody id={id} initial={ready(values)} contract={contract}>
        {KINDS.map((kind) => (
          <Setting key={kind} title={t(`messaging.${kind}`)} words={t(`messaging.${kind}Words`)}>
            <Account kind={kind} isSecretSet={secretsSet.includes(`${kind}Secret`)} />
          </Setting>
        ))}
      </FormBody>
      <MessagingFoot id={id} contract={contract} save={t('messaging.saveWechat')} channels={KINDS} />
    </div>
  )
}

function Account({ kind, isSecretSet }: { kind: (typeof KINDS)[number]; isSecretSet: boolean }) {
  const { t } = useTranslation('visitors')
  const text = <Input maxLength={MESSAGING_TEXT_MAX} autoComplete="off" />
  return (
    <>
      <Form.Item name={`${kind}App`} label={t('messaging.app')}>
        {text}
      </Form.Item>
      <Form.Item name={`${kind}Secret`} label={t('messaging.appSecret')}>
        <SecretField isSet={isSecretSet} />
      </Form.Item>
      <Form.Item name={`${kind}Template`} label={t('messaging.template')} extra={t('messaging.keywordsWords')}>
        {text}
      </Form.Item>
      <div className={styles.keywords}>
        {KEYWORDS.map((name) => (
          <Form.Item key={name} name={[`${kind}Keywords`, name]} label={t(`messaging.keyword.${name}`)}>
            {text}
          </Form.Item>
        ))}
      </div>
    </>
  )
}
