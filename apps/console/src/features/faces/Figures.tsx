/** Numbers in a row, each with what it counts. */
import type { ReactNode } from 'react'
import styles from './faces.module.css'

export interface Figure {
  key: string
  value: ReactNode
  words: ReactNode
  /** Not as it should be. */
  wanting?: boolean
}

export function Figures({ figures }: { figures: Figure[] }) {
  return (
    <ul className={styles.figures}>
      {figures.map(({ key, value, words, wanting }) => (
        <li key={key} data-wanting={wanting || undefined}>
          <b>{value}</b>
          <span>{words}</span>
        </li>
      ))}
    </ul>
  )
}
