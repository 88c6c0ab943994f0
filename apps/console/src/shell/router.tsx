/** The hash router, made from the table of screens. */
import { createHashRouter, Outlet, redirect, type RouteObject } from 'react-router'
import { pendingRequests } from '../kit/cancel.ts'
import { setNavigation } from '../kit/navigation.ts'
import { addresses, path } from '../paths.ts'
import { pages } from '../routes.tsx'
import { screenEntries, type ScreenName } from '../screens.ts'
import { guard } from './guard.ts'
import { Layout } from './layout/Layout.tsx'
import { loadPage } from './loadPage.ts'
import { ErrorPage } from './pages/ErrorPage.tsx'
import { Splash } from './pages/Splash.tsx'

/** What a route knows of its screen: `useMatches().at(-1)?.handle`. */
export interface ScreenHandle {
  name: ScreenName
}

const routeOf = ([name, screen]: (typeof screenEntries)[number]): RouteObject => ({
  path: screen.path.replace(/\{(\w+)\}/g, ':$1'),
  caseSensitive: true,
  handle: { name } satisfies ScreenHandle,
  loader: ({ request }) => guard(screen, addressIn(request.url)),
  // A changed filter is no new page: the guard has spoken already.
  shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
  lazy: { Component: () => loadPage(pages[name], goBack) },
  errorElement: <ErrorPage />,
})

const addressIn = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

const inShell = screenEntries.filter(([, screen]) => screen.layout === 'shell')
const outside = screenEntries.filter(([name, screen]) => screen.layout === 'full' && name !== 'root')

const routes: RouteObject[] = [
  {
    element: <Outlet />,
    HydrateFallback: Splash,
    errorElement: <ErrorPage />,
    children: [
      { path: addresses.root, loader: () => redirect(path('login')) },
      ...outside.map(routeOf),
      { Component: Layout, children: inShell.map(routeOf) },
      { path: '*', loader: () => redirect(path('notFound')) },
    ],
  },
]

export const router = createHashRouter(routes)

/** Gives up a page that does not load; the first page of a tab has nothing to go back to and shows the error page. */
function goBack(): void {
  const { initialized, location, navigation } = router.state
  const target = navigation.location
  if (!initialized || !target) return
  // A typed address already stands in the history, a followed link not yet.
  const entered = window.location.hash.slice(1).startsWith(target.pathname) && target.pathname !== location.pathname
  void (entered ? router.navigate(-1) : router.navigate(location, { replace: true }))
}

setNavigation({ go: (address) => void router.navigate(address), current: () => router.state.location.pathname })

let shown = router.state.location.pathname
router.subscribe(({ location }) => {
  if (location.pathname === shown) return
  shown = location.pathname
  pendingRequests.cancelAll()
})
