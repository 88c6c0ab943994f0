/** The menu of this session as it stands now. */
import { installationCalls } from '@gatehouse/contract/system/installation'
import { useLanguage } from '../../i18n/index.ts'
import { useRead } from '../../api/query.ts'
import { mayOpen, useSession } from '../../api/session.ts'
import { menuFor, type MenuSection } from './menu.ts'

export function useMenu(): MenuSection[] {
  const { language } = useLanguage()
  // What may be opened hangs on person and park.
  const { park } = useSession()
  const { data: info } = useRead(installationCalls.info, {})
  return menuFor(mayOpen, {
    language,
    thirdParty: info?.thirdParty ?? false,
    upgradeService: info?.upgradeService ?? false,
    ...(park && { parking: park.parking }),
  })
}
