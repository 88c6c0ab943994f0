/** What stands around every page: the page itself, or what has to be done before any. */
import { lazy, Suspense } from 'react'
import { Outlet, useMatches } from 'react-router'
import { useSession } from '../api/session.ts'
import { screens } from '../screens.ts'
import { Splash } from './pages/Splash.tsx'
import type { ScreenHandle } from './router.tsx'

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
