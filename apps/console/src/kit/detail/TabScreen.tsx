/** The frame of pages that belong together: one title, and a tab with an address of its own for each. */
import { useEffect, useRef, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { Screen } from './Screen.tsx'
import styles from './screen.module.css'

interface TabScreenProps {
  title: ReactNode
  /** Beside the title: a count, which of several. */
  note?: ReactNode
  actions?: ReactNode
  /** What the tabs are, for screen readers. */
  label: string
  tabs: readonly { address: string; label: string; current: boolean }[]
  children: ReactNode
}

/** State of an address that was reached by a tab: the focus stays on the tabs. */
interface TabState {
  fromTab?: boolean
}

export function TabScreen({ title, note, actions, label, tabs, children }: TabScreenProps) {
  const { state } = useLocation() as { state: TabState | null }
  const shown = useRef<HTMLAnchorElement>(null)
  const fromTab = state?.fromTab === true
  useEffect(() => {
    if (fromTab) shown.current?.focus({ preventScroll: true })
  }, [fromTab])
  return (
    <Screen title={title} note={note} actions={actions}>
      <nav className={styles.tabs} aria-label={label}>
        {tabs.map((tab) => (
          <Link
            key={tab.address}
            to={tab.address}
            state={{ fromTab: true } satisfies TabState}
            {...(tab.current && { ref: shown, 'aria-current': 'page' as const })}
          >
            {tab.label}
          </Link>
        ))}
      </nav>
      {children}
    </Screen>
  )
}
