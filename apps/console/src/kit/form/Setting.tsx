/** One group of settings: its purpose on the left, its fields on the right. */
import type { ReactNode } from 'react'
import styles from './settings.module.css'

interface SettingProps {
  title: string
  words: string
  /** Further looks of what stands in the group. */
  className?: string | undefined
  children: ReactNode
}

export function Setting({ title, words, className, children }: SettingProps) {
  return (
    <section className={className === undefined ? styles.setting : `${styles.setting} ${className}`} aria-label={title}>
      <header>
        <h2>{title}</h2>
        <p>{words}</p>
      </header>
      <div>{children}</div>
    </section>
  )
}
