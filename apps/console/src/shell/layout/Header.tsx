/** Where one is, search, live connection, park, appearance, person. */
import { SearchOutlined } from '@ant-design/icons'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { addresses } from '../../paths.ts'
import { screens, type ScreenName } from '../../screens.ts'
import { openPalette } from '../palette/paletteState.ts'
import { LiveState } from './LiveState.tsx'
import { useKeptAddress } from './PageStack.tsx'
import { ParkSwitch } from './ParkSwitch.tsx'
import { Preferences } from './Preferences.tsx'
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
        <Preferences />
        <UserMenu />
      </div>
    </header>
  )
}

/** Home, the group, the list, the page: each that has an address leads there. */
function Trail({ current }: { current: ScreenName | undefined }) {
  const { t } = useTranslation('shell')
  const addressOf = useKeptAddress()
  if (!current) return <span className={styles.trail} />
  const parent = screens[current].parent
  const before = [...(current === 'home' ? [] : (['home'] as const)), ...(parent ? [parent] : [])]
  return (
    <nav className={styles.trail} aria-label={t('trail')}>
      <ol>
        {before.map((name) => <li key={name}><Link to={addressOf(addresses[name])}>{t(`title.${name}`)}</Link></li>)}
        <li aria-current="page">{t(`title.${current}`)}</li>
      </ol>
    </nav>
  )
}
