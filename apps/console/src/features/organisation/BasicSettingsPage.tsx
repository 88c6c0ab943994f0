/** /basicSettings: what a park sets for itself, in groups that are each saved by themselves. */
import { useTranslation } from 'react-i18next'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useMay, useMayOpen, useSession } from '../../api/session.ts'
import { CarPark } from './settings/CarPark.tsx'
import { Installation } from './settings/Installation.tsx'
import { Records } from './settings/Records.tsx'
import { Registration } from './settings/Registration.tsx'

export default function BasicSettingsPage() {
  const { t } = useTranslation('organisation')
  const park = useSession((session) => session.park?.parkName)
  const mayPark = useMay('carpark.parkAdmin')
  const wholeInstallation = useMayOpen({ permission: null, condition: 'installation' })
  return (
    <Screen title={t('settings.title')} note={park}>
      <Registration />
      <Records />
      {mayPark && <CarPark />}
      {wholeInstallation && <Installation />}
    </Screen>
  )
}
