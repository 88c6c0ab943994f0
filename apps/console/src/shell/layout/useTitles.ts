/** Titles of screens and menu groups in the words of the park: a park of the academy type is a campus. */
import { useTranslation } from 'react-i18next'
import { PARK_TYPE_ACADEMY } from '@gatehouse/contract'
import { useSession } from '../../api/session.ts'
import type { ScreenName } from '../../screens.ts'
import type { MenuSection } from './menu.ts'

interface Titles {
  title: (name: ScreenName) => string
  group: (name: MenuSection['group']) => string
}

/** A text without an academy form of its own reads the same in every park. */
export function useTitles(): Titles {
  const { t } = useTranslation('shell')
  const academy = useSession(({ park }) => park?.parkType === PARK_TYPE_ACADEMY)
  const words = academy ? { context: 'academy' } : {}
  return { title: (name) => t(`title.${name}`, words), group: (name) => t(`menu.${name}`, words) }
}
