/** /configuration: settings of visits with the custom fields of the visitor form, and in a tab of its own how messages leave. */
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'react-router'
import { visitorConfigTab } from '@gatehouse/contract/enums/visitors'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import { useRead } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { DetailPage } from '../../../kit/detail/DetailPage.tsx'
import { useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { TabScreen } from '../../../kit/detail/TabScreen.tsx'
import { path } from '../../../paths.ts'
import { ConfigurationForm } from './ConfigurationForm.tsx'
import { DocumentsEditor } from './DocumentsEditor.tsx'
import { FormEditor } from './FormEditor.tsx'
import { MessagingSettings } from './MessagingSettings.tsx'

export default function ConfigurationPage() {
  const { t } = useTranslation('visitors')
  const label = useEnumLabel()
  const park = useSession((session) => session.park?.parkName)
  const [search] = useSearchParams()
  const current = search.get('tab') === visitorConfigTab.wechat ? visitorConfigTab.wechat : visitorConfigTab.h5
  const tabs = visitorConfigTab.values.map((tab) => ({
    address: `${path('visitorConfiguration')}?tab=${tab}`,
    label: label(visitorConfigTab, tab),
    current: tab === current,
  }))
  return (
    <TabScreen title={t('shell:title.visitorConfiguration')} note={park} label={t('settings.tabs')} tabs={tabs}>
      {current === visitorConfigTab.wechat ? <MessagingSettings /> : <VisitSettings />}
    </TabScreen>
  )
}

function VisitSettings() {
  const configuration = useRead(visitorConfigurationCalls.read, {})
  return (
    <>
      <DetailPage query={configuration}>{(settings) => <ConfigurationForm key={settings.version} settings={settings} />}</DetailPage>
      <FormEditor />
      <DocumentsEditor />
    </>
  )
}
