/** One setting: its purpose on the left, its choices on the right. */
import type { ReactNode } from 'react'
import styles from './policy.module.css'

export function Setting({ title, words, children }: { title: string; words: string; children: ReactNode }) {
  return (
    <section className={styles.setting} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <p>{words}</p>
      </header>
      <div>{children}</div>
    </section>
  )
}

/** Properties of a slider that keep the number at its handle inside the page's landmarks. */
export const besideHandle = { getPopupContainer: (handle: HTMLElement): HTMLElement => handle.parentElement ?? document.body }
