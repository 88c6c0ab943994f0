/** What the parts of home share: the way to a screen, and lines that are still to come. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useMayOpen } from '../../api/session.ts'
import { screens, type Screen, type ScreenName } from '../../screens.ts'
import styles from './home.module.css'

interface WayProps {
  /** A screen without parameters. */
  screen: ScreenName
  /** What its list is filtered by. */
  filter?: Record<string, string | number> | undefined
  className?: string | undefined
  children: ReactNode
}

/** A link to a screen, or plain content for those who may not open it. */
export function Way({ screen, filter = {}, className, children }: WayProps) {
  const asked: Screen = screens[screen]
  const search = new URLSearchParams(Object.entries(filter).map(([field, value]) => [field, String(value)]))
  if (!useMayOpen(asked)) return <span className={className}>{children}</span>
  return (
    <Link className={className ?? ''} to={search.size > 0 ? `${asked.path}?${search}` : asked.path}>
      {children}
    </Link>
  )
}

/** Lines that are still to come, as tall as those that take their place. */
export const WaitingLines = ({ count }: { count: number }) =>
  Array.from({ length: count }, (_, at) => (
    <li key={at}>
      <span className={styles.line}>
        <i className={styles.bar} />
      </span>
    </li>
  ))
