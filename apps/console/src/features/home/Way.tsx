/** A link to a screen, or plain content for those who may not open it. */
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useMayOpen } from '../../api/session.ts'
import { screens, type Screen, type ScreenName } from '../../screens.ts'

interface WayProps {
  /** A screen without parameters. */
  screen: ScreenName
  /** What its list is filtered by. */
  filter?: Record<string, string | number> | undefined
  className?: string | undefined
  children: ReactNode
}

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
