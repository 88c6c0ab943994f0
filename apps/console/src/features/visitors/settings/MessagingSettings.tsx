/** How messages to visitors leave besides e-mail: text messages, and WeChat. */
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { messagingCalls } from '@gatehouse/contract/visitors/messaging'
import { useRead } from '../../../api/query.ts'
import { DetailPage } from '../../../kit/detail/DetailPage.tsx'
import { SmsForm } from './SmsForm.tsx'
import { WechatForm } from './WechatForm.tsx'
import styles from './settings.module.css'

export function MessagingSettings() {
  const { t } = useTranslation('visitors')
  const sms = useRead(messagingCalls.readSms, {})
  const wechat = useRead(messagingCalls.readWechat, {})
  return (
    <>
      <Alert className={styles.note ?? ''} type="info" showIcon title={t('messaging.untried')} description={t('messaging.untriedWords')} />
      <DetailPage query={sms}>{(settings) => <SmsForm key={settings.version} settings={settings} />}</DetailPage>
      <DetailPage query={wechat}>{(settings) => <WechatForm key={settings.version} settings={settings} />}</DetailPage>
    </>
  )
}
