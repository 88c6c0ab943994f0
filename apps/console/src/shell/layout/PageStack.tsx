/** The page that is shown, and the list pages kept alive behind it. */
import { Activity, createContext, useContext, useEffect, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { UNSAFE_LocationContext as LocationContext, useLocation, useOutlet } from 'react-router'
import { screens, type ScreenName } from '../../screens.ts'
import { keep, type KeptPage } from './keptPages.ts'
import styles from './layout.module.css'

type FrozenLocation = React.ContextType<typeof LocationContext>

/** Last address of each kept list, so that menu and breadcrumb return to its filters: `addressOf('/staffList')`. */
const KeptAddresses = createContext<(path: string) => string>((path) => path)
export const useKeptAddress = (): ((path: string) => string) => useContext(KeptAddresses)

/** Return the pages to render. Effects of a hidden page are cleaned up; its state, markup and inputs stay. */
export function usePageStack(name: ScreenName | undefined) {
  const outlet = useOutlet()
  const frozen = useContext(LocationContext)
  const { pathname, search } = useLocation()
  const kept = useRef<KeptPage<{ outlet: ReactNode; location: FrozenLocation; search: string }>[]>([])

  const isList = name !== undefined && screens[name].kind === 'list'
  if (isList) kept.current = keep(kept.current, { path: pathname, content: { outlet, location: frozen, search } })

  const addressOf = (path: string): string => path + (kept.current.find((page) => page.path === path)?.content.search ?? '')
  // In order of address, so that marking one as the most recent moves no markup.
  const pages = kept.current.toSorted((a, b) => a.path.localeCompare(b.path))
  const stack = (
    <>
      {pages.map(({ path, content }) => (
        <Activity key={path} mode={path === pathname ? 'visible' : 'hidden'}>
          <LocationContext.Provider value={content.location}>
            <Page>{content.outlet}</Page>
          </LocationContext.Provider>
        </Activity>
      ))}
      {!isList && <Page key={pathname}>{outlet}</Page>}
    </>
  )
  return { stack, addressOf }
}
export const KeptAddressesProvider = KeptAddresses.Provider

const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), [tabindex="0"]'

/**
 * Return whether a page has nothing to focus, as for a user who may only read: the page itself is focusable then, so that keys scroll it.
 */
function useOnlyText(element: RefObject<HTMLElement | null>): boolean {
  const [onlyText, setOnlyText] = useState(false)
  useEffect(() => {
    const page = element.current
    if (!page) return
    const look = (): void => setOnlyText(page.querySelector(FOCUSABLE) === null)
    const observer = new MutationObserver(look)
    observer.observe(page, { childList: true, subtree: true })
    look()
    return () => observer.disconnect()
  }, [element])
  return onlyText
}

/** A page that scrolls by itself, and returns to its scroll position when it is shown again. */
function Page({ children }: { children: ReactNode }) {
  const element = useRef<HTMLDivElement>(null)
  const onlyText = useOnlyText(element)
  const [scroll] = useState({ top: 0 })
  useLayoutEffect(() => {
    if (element.current) element.current.scrollTop = scroll.top
  }, [scroll])
  return (
    <div
      ref={element}
      className={styles.page}
      {...(onlyText && { tabIndex: 0 })}
      onScroll={(event) => (scroll.top = event.currentTarget.scrollTop)}
    >
      {children}
    </div>
  )
}
