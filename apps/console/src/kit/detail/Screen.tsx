/** The frame of a page: title, actions, and the content without a card around it. */
import type { ReactNode } from 'react'
import styles from './screen.module.css'

interface ScreenProps {
  title: ReactNode
  /** Beside the title: a count, a status. */
  note?: ReactNode
  /** Buttons, the most important one last. */
  actions?: ReactNode
  /** A panel to the left of the content, such as a tree. */
  aside?: ReactNode
  children: ReactNode
}

export function Screen({ title, note, actions, aside, children }: ScreenProps) {
  return (
    <div className={styles.screen}>
      {aside && <aside className={styles.aside}>{aside}</aside>}
      <div className={styles.body}>
        <div className={styles.head}>
          <h1>{title}</h1>
          {note && <div className={styles.note}>{note}</div>}
          <div className={styles.actions}>{actions}</div>
        </div>
        {children}
      </div>
    </div>
  )
}
