/** The address of a new link, shown once. */
import { useTranslation } from 'react-i18next'
import { useLanguage } from '../../../i18n/index.ts'
import { SecretOnce } from '../../../kit/form/SecretOnce.tsx'
import { useSession } from '../../../api/session.ts'
import { linkAddress } from './screenAddress.ts'

export default function ScreenLinkOnce({ made, close }: { made: { token: string; endsAt: number | null }; close: () => void }) {
  const { t } = useTranslation('system')
  const { language } = useLanguage()
  const privatised = useSession(({ profile }) => profile?.capabilities.privatised ?? true)
  const areaCode = useSession(({ park }) => park?.areaCode ?? '')
  return (
    <SecretOnce
      title={t('screens.links.made')}
      words={t('screens.links.onceWords')}
      values={[{ name: t('screens.links.address'), value: linkAddress(window.location, privatised, { ...made, areaCode, language }) }]}
      close={close}
    />
  )
}
