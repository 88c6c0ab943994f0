/** Menu, header, content. */
import { SearchOutlined } from '@ant-design/icons'
import { Tooltip } from 'antd'
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigation, Link } from 'react-router'
import { usePrinting } from '../../kit/printing.ts'
import { useSession } from '../../api/session.ts'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import { type ScreenName, screens } from '../../screens.ts'
import { useLiveState } from '../../api/live.ts'
import { addresses } from '../../paths.ts'
import { KeysHost } from '../keys/KeysHost.tsx'
import { PaletteHost } from '../palette/PaletteHost.tsx'
import { NoticeArea } from '../notices/NoticeArea.tsx'
import { sayParkSwitched } from '../session/switchPark.ts'
import { openPalette } from '../palette/paletteState.ts'
import { KeptAddressesProvider, usePageStack, useKeptAddress } from './PageStack.tsx'
import { SideMenu } from './SideMenu.tsx'
import { useAttended } from './Attended.tsx'
import { useTitles } from './useMenu.ts'
import { ParkSwitch } from './ParkSwitch.tsx'
import { ThemeChoice } from './Preferences.tsx'
import { UserMenu } from './UserMenu.tsx'
import styles from './layout.module.css'

export function Layout() {
  const { t } = useTranslation('shell')
  const { title } = useTitles()
  const name = useAttended()
  const busy = useNavigation().state !== 'idle'
  const { stack, addressOf } = usePageStack(name)
  const printing = usePrinting()
  useEffect(sayParkSwitched, [])

  return (
    <KeptAddressesProvider value={addressOf}>
      <div className={styles.shell}>
        <button type="button" className={styles.skip} onClick={() => document.getElementById('content')?.focus()}>
          {t('skipToContent')}
        </button>
        {busy && <div className={styles.progress} role="progressbar" aria-label={t('loadingPage')} />}
        <SideMenu current={name} />
        <div className={styles.main}>
          {printing && <PrintHead title={name && title(name)} />}
          <Header current={name} />
          <NoticeArea />
          <main id="content" tabIndex={-1} className={styles.content}>
            <Suspense fallback={null}>{stack}</Suspense>
          </main>
        </div>
        <PaletteHost />
        <KeysHost />
      </div>
    </KeptAddressesProvider>
  )
}

/** First line of a printed page: park, title, and when it was printed. */
function PrintHead({ title }: { title: string | undefined }) {
  const { t } = useTranslation('shell')
  const park = useSession((state) => state.park?.parkName)
  const { offset } = useZoneOffset()
  return (
    <p className={styles.printHead}>
      <b>{park}</b>
      <span>{title}</span>
      <span>{t('printed', { time: formatInstant(Date.now(), offset) })}</span>
    </p>
  )
}

/** The path to the page, search, live connection, park, appearance, user. */
function Header({ current }: { current: ScreenName | undefined }) {
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

/** Whether the screen is live. Shown in words only when it is not. */
function LiveState() {
  const { t } = useTranslation('shell')
  const { state } = useLiveState()
  return (
    <Tooltip title={t(`live.${state}Hint`)}>
      <span className={styles.live} data-state={state} role="status">
        <i aria-hidden="true" />
        <span className={styles.liveWord}>{t(`live.${state}`)}</span>
      </span>
    </Tooltip>
  )
}

/** Home, the group, the list, the page: each that has an address is a link. */
function Trail({ current }: { current: ScreenName | undefined }) {
  const { t } = useTranslation('shell')
  const { title, group } = useTitles()
  const addressOf = useKeptAddress()
  if (!current) return <span className={styles.trail} />
  const { parent, menu } = screens[current]
  const inGroup = menu ?? (parent && screens[parent].menu)
  const link = (name: ScreenName) => (
    <li key={name}>
      <Link to={addressOf(addresses[name])}>{title(name)}</Link>
    </li>
  )
  return (
    <nav className={styles.trail} aria-label={t('trail')}>
      <ol>
        {current !== 'home' && link('home')}
        {inGroup && inGroup !== 'top' && <li>{group(inGroup)}</li>}
        {parent && link(parent)}
        <li aria-current="page">{title(current)}</li>
      </ol>
    </nav>
  )
}
