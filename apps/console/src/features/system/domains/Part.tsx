/** A part of the page: what it is for on the left, what can be done on the right. */
import type { ReactNode } from 'react'
import styles from '../system.module.css'

/** @param wide takes the whole width, as a list does */
export function Part({ title, words, wide = false, children }: { title: string; words: string; wide?: boolean; children: ReactNode }) {
  return (
    <section className={styles.part} data-wide={wide || undefined} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <p>{words}</p>
      </header>
      <div className={wide ? styles.wide : undefined}>{children}</div>
    </section>
  )
}
