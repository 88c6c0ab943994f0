/** Where one is, search, live connection, park, appearance, person. */
import { SearchOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import type { ScreenName } from '../../screens.ts'
import { openPalette } from '../palette/paletteState.ts'
import { LiveState } from './LiveState.tsx'
import { ParkSwitch } from './ParkSwitch.tsx'
import { ThemeChoice } from './Preferences.tsx'
import { Trail } from './Trail.tsx'
import { UserMenu } from './UserMenu.tsx'
import styles from './layout.module.css'

export function Header({ current }: { current: ScreenName | undefined }) {
  const { t } = useTranslation('shell')
  return (
    <header className={styles.header}>
      <Trail current={current} />
      <button type="button" className={styles.search} onClick={openPalette} aria-keyshortcuts="Control+K">
        <SearchOutlined />
        <span>{t('searchEverything')}</span>
        <kbd>Ctrl K</kbd>
      </button>
      <div className={styles.tools}>
        <LiveState />
        <ParkSwitch />
        <ThemeChoice />
        <UserMenu />
      </div>
    </header>
  )
}
