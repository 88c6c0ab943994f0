/** One setting: what it is for on the left, what can be chosen on the right. */
import type { ReactNode } from 'react'
import styles from '../faces.module.css'

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

/** The number at a slider's handle, kept in the page's own landmarks instead of behind its end. */
export const besideHandle = { getPopupContainer: (handle: HTMLElement): HTMLElement => handle.parentElement ?? document.body }
