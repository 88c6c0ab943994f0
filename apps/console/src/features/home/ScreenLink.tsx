/** What the parts of home share: links to screens, and placeholder lines. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useMayOpen } from '../../api/session.ts'
import { screens, type Screen, type ScreenName } from '../../screens.ts'
import styles from './home.module.css'

interface ScreenLinkProps {
  /** A screen without parameters. */
  screen: ScreenName
  /** Filters of its list. */
  filter?: Record<string, string | number> | undefined
  className?: string | undefined
  children: ReactNode
}

/** A link to a screen, or plain content for a user who may not open it. */
export function ScreenLink({ screen, filter = {}, className, children }: ScreenLinkProps) {
  const target: Screen = screens[screen]
  const search = new URLSearchParams(Object.entries(filter).map(([field, value]) => [field, String(value)]))
  if (!useMayOpen(target)) return <span className={className}>{children}</span>
  return (
    <Link className={className ?? ''} to={search.size > 0 ? `${target.path}?${search}` : target.path}>
      {children}
    </Link>
  )
}

/** Placeholder lines, as tall as those that replace them. */
export const WaitingLines = ({ count }: { count: number }) =>
  Array.from({ length: count }, (_, at) => (
    <li key={at}>
      <span className={styles.line}>
        <i className={styles.bar} />
      </span>
    </li>
  ))
