/** /staffSetting: settings of registration. */
import { useTranslation } from 'react-i18next'
import { parkSettingCalls } from '@gatehouse/contract/organisation/settings'
import { Facts, Section } from '../../../kit/detail/DetailPage.tsx'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { useMay, useMayCall, useSession } from '../../../api/session.ts'
import { CustomerGroup, Registration } from '../../organisation/index.ts'
import styles from '../people.module.css'

export default function StaffSettingPage() {
  const { t } = useTranslation('people')
  const park = useSession((session) => session.park?.parkName)
  // A user who may register persons need not be allowed to change these settings.
  const maySet = useMay('system.base')
  const mayGroup = useMayCall(parkSettingCalls.setAutoRegisterGroup)
  return (
    <Screen title={t('shell:title.staffSetting')} note={park}>
      {maySet ? (
        <Registration />
      ) : (
        <>
          <AsItIs />
          {mayGroup && <CustomerGroup />}
        </>
      )}
    </Screen>
  )
}

/** The settings read only, from the session. */
function AsItIs() {
  const { t } = useTranslation('people')
  const park = useSession((session) => session.park)
  const words = (flag: number | undefined): string => t(flag === 1 ? 'settings.demanded' : 'settings.notDemanded')
  return (
    <Section title={t('settings.photos')}>
      <Facts
        facts={[
          [t('settings.staffPhoto'), words(park?.staffFaceRegisterFlag)],
          [t('settings.customerPhoto'), words(park?.customerFaceRegisterFlag)],
        ]}
      />
      <p className={styles.hint}>{t('settings.whoSets')}</p>
    </Section>
  )
}
