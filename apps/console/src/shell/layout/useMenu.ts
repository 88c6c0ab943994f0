/** The present menu of this session, and the titles of its screens and groups. */
import { useTranslation } from 'react-i18next'
import { installationCalls } from '@gatehouse/contract/system/installation'
import { PARK_TYPE_ACADEMY } from '@gatehouse/contract'
import { useLanguage } from '../../i18n/index.ts'
import { useRead } from '../../api/query.ts'
import { mayOpen, useSession } from '../../api/session.ts'
import type { ScreenName } from '../../screens.ts'
import { menuFor, type MenuSection } from './menu.ts'

export function useMenu(): MenuSection[] {
  const { language } = useLanguage()
  // What may be opened depends on the user and the park.
  const { park } = useSession()
  const { data: info } = useRead(installationCalls.info, {})
  return menuFor(mayOpen, {
    language,
    thirdParty: info?.thirdParty ?? false,
    upgradeService: info?.upgradeService ?? false,
    ...(park && { parking: park.parking }),
  })
}

interface Titles {
  title: (name: ScreenName) => string
  group: (name: MenuSection['group']) => string
}

/**
 * Return titles of screens and menu groups in the words of the park: a park of the academy type is a campus.
 * A text without an academy form of its own is the same in every park.
 */
export function useTitles(): Titles {
  const { t } = useTranslation('shell')
  const academy = useSession(({ park }) => park?.parkType === PARK_TYPE_ACADEMY)
  const words = academy ? { context: 'academy' } : {}
  return { title: (name) => t(`title.${name}`, words), group: (name) => t(`menu.${name}`, words) }
}
