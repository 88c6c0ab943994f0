/** Menu, header, content. */
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigation } from 'react-router'
import { usePrinting } from '../../kit/printing.ts'
import { KeysHost } from '../keys/KeysHost.tsx'
import { PaletteHost } from '../palette/PaletteHost.tsx'
import { NoticeArea } from '../notices/NoticeArea.tsx'
import { sayParkSwitched } from '../session/switchPark.ts'
import { Header } from './Header.tsx'
import { KeptAddressesProvider, usePageStack } from './PageStack.tsx'
import { PrintHead } from './PrintHead.tsx'
import { SideMenu } from './SideMenu.tsx'
import { useAttended } from './useAttended.ts'
import { useTitles } from './useTitles.ts'
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
