/** /configuration: settings of visits, and the custom fields of the visitor form. */
import { useTranslation } from 'react-i18next'
import { visitorConfigTab } from '@gatehouse/contract/enums/visitors'
import { visitorConfigurationCalls } from '@gatehouse/contract/visitors/configuration'
import { useRead } from '../../../api/query.ts'
import { useSession } from '../../../api/session.ts'
import { DetailPage } from '../../../kit/detail/DetailPage.tsx'
import { useEnumLabel } from '../../../kit/detail/EnumTag.tsx'
import { TabScreen } from '../../../kit/detail/TabScreen.tsx'
import { path } from '../../../paths.ts'
import { ConfigurationForm } from './ConfigurationForm.tsx'
import { FormEditor } from './FormEditor.tsx'

/** Tabs that exist. */
const TABS = [visitorConfigTab.h5] as const

export default function ConfigurationPage() {
  const { t } = useTranslation('visitors')
  const label = useEnumLabel()
  const park = useSession((session) => session.park?.parkName)
  const configuration = useRead(visitorConfigurationCalls.read, {})
  const tabs = TABS.map((tab) => ({
    address: `${path('visitorConfiguration')}?tab=${tab}`,
    label: label(visitorConfigTab, tab),
    current: true,
  }))
  return (
    <TabScreen title={t('shell:title.visitorConfiguration')} note={park} label={t('settings.tabs')} tabs={tabs}>
      <DetailPage query={configuration}>
        {({ version, ...values }) => <ConfigurationForm key={version} values={values} version={version} />}
      </DetailPage>
      <FormEditor />
    </TabScreen>
  )
}
