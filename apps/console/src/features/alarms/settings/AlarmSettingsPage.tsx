/**
 * /alarmSettings: how long bubbles of alarms stay in the park, who is told of alarms by e-mail, and what happens when nobody handles
 * one.
 */
import { useTranslation } from 'react-i18next'
import { alarmsCalls } from '@gatehouse/contract/alarms/calls'
import { escalationCalls } from '@gatehouse/contract/alarms/escalation'
import { emailAlarmCalls } from '@gatehouse/contract/alarms/email'
import { useRead } from '../../../api/query.ts'
import { useMayCall, useSession } from '../../../api/session.ts'
import { DetailPage } from '../../../kit/detail/DetailPage.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { EscalationForm } from './EscalationForm.tsx'
import { EmailForm } from './EmailForm.tsx'
import { StayForm } from './StayForm.tsx'
import { UnsentAlarms } from './UnsentAlarms.tsx'

export default function AlarmSettingsPage() {
  const { t } = useTranslation('alarms')
  const park = useSession((session) => session.park?.parkName)
  const stay = useRead(alarmsCalls.config, {})
  // Who may not see the watch list must not be told of it by e-mail.
  const maySetEmail = useMayCall(emailAlarmCalls.save)
  const email = useRead(emailAlarmCalls.read, {}, { enabled: maySetEmail })
  const maySetEscalation = useMayCall(escalationCalls.save)
  const escalation = useRead(escalationCalls.read, {}, { enabled: maySetEscalation })
  return (
    <Screen title={t('shell:title.alarmSettings')} note={park}>
      <DetailPage query={stay}>{(settings) => <StayForm key={settings.version} settings={settings} />}</DetailPage>
      {maySetEmail && <DetailPage query={email}>{(settings) => <EmailForm key={settings.version} settings={settings} />}</DetailPage>}
      {maySetEscalation && (
        <DetailPage query={escalation}>{(settings) => <EscalationForm key={settings.version} settings={settings} />}</DetailPage>
      )}
      <UnsentAlarms />
    </Screen>
  )
}
