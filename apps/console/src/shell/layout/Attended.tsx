/** A screen without menu and header at which a user works. */
import { Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet, useMatches } from 'react-router'
import { useLiveConnection } from '../../api/live.ts'
import { useSession } from '../../api/session.ts'
import type { ScreenName } from '../../screens.ts'
import { KeysHost } from '../keys/KeysHost.tsx'
import { NoticeArea } from '../notices/NoticeArea.tsx'
import { PaletteHost } from '../palette/PaletteHost.tsx'
import type { ScreenHandle } from '../screenHandle.ts'
import { useWatchedArea } from '../session/useAreaName.ts'
import { useKeepAlive } from '../session/useKeepAlive.ts'
import { useTitles } from './useMenu.ts'
import styles from './layout.module.css'

export function Attended() {
  useAttended()
  return (
    <div className={styles.attended}>
      <NoticeArea />
      <Suspense fallback={null}>
        <Outlet />
      </Suspense>
      <PaletteHost />
      <KeysHost />
    </div>
  )
}

/**
 * Provide what every page with a user in front of it needs: the session is kept alive, its park watched, the live connection open, and the
 * window titled.
 * @returns the screen of the deepest matched route
 */
export function useAttended(): ScreenName | undefined {
  const { t } = useTranslation('shell')
  const { title } = useTitles()
  const name = (useMatches().at(-1)?.handle as ScreenHandle | undefined)?.name
  useKeepAlive()
  useWatchedArea()
  useLiveConnection(useSession(({ park }) => park?.areaCode))
  const heading = name && `${title(name)} · ${t('product')}`
  useEffect(() => {
    if (heading) document.title = heading
  }, [heading])
  return name
}
