/** Menu, header, content. */
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useMatches, useNavigation } from 'react-router'
import { useLiveConnection } from '../../kit/live.ts'
import { usePrinting } from '../../kit/printing.ts'
import { useSession } from '../../kit/session.ts'
import type { ScreenName } from '../../screens.ts'
import { KeysHost } from '../keys/KeysHost.tsx'
import { PaletteHost } from '../palette/PaletteHost.tsx'
import type { ScreenHandle } from '../router.tsx'
import { NoticeArea } from '../notices/NoticeArea.tsx'
import { sayParkSwitched } from '../session/switchPark.ts'
import { useWatchedArea } from '../session/useAreaName.ts'
import { useKeepAlive } from '../session/useKeepAlive.ts'
import { Header } from './Header.tsx'
import { KeptAddressesProvider, usePageStack } from './PageStack.tsx'
import { PrintHead } from './PrintHead.tsx'
import { SideMenu } from './SideMenu.tsx'
import { useTitles } from './useTitles.ts'
import styles from './layout.module.css'

/** The screen of the deepest matched route. */
const useCurrentScreen = (): ScreenName | undefined => (useMatches().at(-1)?.handle as ScreenHandle | undefined)?.name

export function Layout() {
  const { t } = useTranslation('shell')
  const { title } = useTitles()
  const name = useCurrentScreen()
  const busy = useNavigation().state !== 'idle'
  const areaCode = useSession(({ park }) => park?.areaCode)
  const { stack, addressOf } = usePageStack(name)
  const printing = usePrinting()
  useKeepAlive()
  useWatchedArea()
  useEffect(sayParkSwitched, [])
  useLiveConnection(areaCode)

  const heading = name && `${title(name)} · ${t('product')}`
  useEffect(() => {
    if (heading) document.title = heading
  }, [heading])

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
