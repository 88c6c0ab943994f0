/** The hash router, built from the screens. */
import type { ComponentType } from 'react'
import { createHashRouter, matchRoutes, redirect, type RouteObject } from 'react-router'
import { pendingRequests } from '../api/cancel.ts'
import { setNavigation } from '../kit/navigation.ts'
import { queryClient } from '../api/query.ts'
import { useScreenLink } from '../api/screenLink.ts'
import { addresses, path } from '../paths.ts'
import { pages, type PageComponent } from '../pages.ts'
import { screenEntries, type Screen, type ScreenName } from '../screens.ts'
import { loadCall, readFirstList } from './firstList.ts'
import { Frame, Splash } from './Frame.tsx'
import { guard, instead } from './guard.ts'
import { Attended } from './layout/Attended.tsx'
import { Layout } from './layout/Layout.tsx'
import { loadPage } from './loadPage.ts'
import { PageFailure, ScreenLinkRefused } from './pages/Notice.tsx'
import type { ScreenHandle } from './screenHandle.ts'
import { useScreenSession } from './session/screenSession.ts'

const routeOf = ([name, screen]: (typeof screenEntries)[number]): RouteObject => ({
  path: screen.path.replace(/\{(\w+)\}/g, ':$1'),
  caseSensitive: true,
  handle: { name } satisfies ScreenHandle,
  loader: async ({ request }) => {
    const address = addressIn(request.url)
    const call = loadCall(screen.list)
    await guard(screen, address)
    void readFirstList(call, screen.list, address)
    return null
  },
  // A changed filter is not a new page: the guard has checked it already.
  shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
  lazy: {
    Component: async () => shownAs(screen, await loadPage(pages[name], { leave: () => goBack(name), afresh: goAfresh })),
  },
  errorElement: <PageFailure />,
})

/** Return a page with the properties that its screen declares. */
function shownAs({ props, dataScreen }: Screen, Page: PageComponent): ComponentType {
  const Prepared = props ? () => <Page {...props} /> : Page
  return dataScreen ? withScreenSession(Prepared) : Prepared
}

/** Return a data screen that renews its session for as long as it is shown, and shows where its link is refused. */
const withScreenSession = (Page: ComponentType): ComponentType =>
  function DataScreen() {
    useScreenSession()
    return useScreenLink(({ refused }) => refused) ? <ScreenLinkRefused /> : <Page />
  }

const addressIn = (url: string): string => {
  const { pathname, search } = new URL(url)
  return pathname + search
}

const inShell = screenEntries.filter(([, screen]) => screen.layout === 'shell')
const attended = screenEntries.filter(([, screen]) => screen.attended)
const outside = screenEntries.filter(([name, screen]) => screen.layout === 'full' && !screen.attended && name !== 'root')

const routes: RouteObject[] = [
  {
    element: <Frame />,
    HydrateFallback: Splash,
    errorElement: <PageFailure />,
    children: [
      { path: addresses.root, loader: () => redirect(path('login')) },
      ...outside.map(routeOf),
      { Component: Layout, children: inShell.map(routeOf) },
      { Component: Attended, children: attended.map(routeOf) },
      { path: '*', loader: ({ request }) => instead(path('notFound'), addressIn(request.url)) },
    ],
  },
]

export const router = createHashRouter(routes)

/**
 * Leave a page that fails to load, unless the user goes elsewhere by now; the first page of a tab has nothing to go back
 * to and shows the error page.
 */
function goBack(name: ScreenName): void {
  const { initialized, location, navigation } = router.state
  const target = navigation.location
  if (!initialized || !target) return
  const targetHandle = matchRoutes(router.routes as RouteObject[], target)?.at(-1)?.route.handle as ScreenHandle | undefined
  if (targetHandle?.name !== name) return
  // A typed address is in the history already, an address reached by a link is not yet.
  const entered = window.location.hash.slice(1).startsWith(target.pathname) && target.pathname !== location.pathname
  void (entered ? router.navigate(-1) : router.navigate(location, { replace: true }))
}

/**
 * Open the requested page in a new document. Deferred, since the router requests the code of the page before it reports the new location.
 */
function goAfresh(): void {
  setTimeout(() => {
    const { location, navigation } = router.state
    const { pathname, search } = navigation.location ?? location
    window.location.hash = pathname + search
    window.location.reload()
  })
}

setNavigation({ go: (address) => router.navigate(address), address: () => router.state.location.pathname + router.state.location.search })

let shown = router.state.location.pathname
router.subscribe(({ location }) => {
  if (location.pathname === shown) return
  shown = location.pathname
  pendingRequests.cancelAll()
  // The next user to log in must not see, even for a moment, what the user before was shown.
  if (shown !== path('login')) return
  void queryClient.cancelQueries()
  queryClient.clear()
})
