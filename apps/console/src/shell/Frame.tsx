/** The frame around every page: the page itself, or a step required before any page; and the splash picture before the first. */
import { lazy, Suspense } from 'react'
import { Outlet, useMatches } from 'react-router'
import { useSession } from '../api/session.ts'
import { screens } from '../screens.ts'
import type { ScreenHandle } from './screenHandle.ts'
import { Mark } from './Mark.tsx'
import styles from './pages/pages.module.css'

const SecondFactorDemanded = lazy(() => import('./account/SecondFactorDemanded.tsx'))

export function Frame() {
  const isMissing = useSession(({ profile }) => profile?.secondFactorMissing === true)
  const name = (useMatches().at(-1)?.handle as ScreenHandle | undefined)?.name
  const needsLogin = name !== undefined && screens[name].auth !== 'none'
  if (!isMissing || !needsLogin) return <Outlet />
  return (
    <Suspense fallback={<Splash />}>
      <SecondFactorDemanded />
    </Suspense>
  )
}

/** Shown while the first page loads, as `index.html` shows it before anything has loaded. */
export function Splash() {
  return (
    <div className={styles.splash} role="status">
      <Mark size={48} />
    </div>
  )
}
