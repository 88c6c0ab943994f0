/** Both kinds of error against the setting, with what each line is and what the picture says in words. The drawing is loaded on its own. */
import { lazy, Suspense } from 'react'
import styles from './faces.module.css'

const CurvesChart = lazy(() => import('./CurvesChart.tsx'))

export interface Curve {
  /** Which error: strangers taken for somebody, or the right person not recognised. */
  kind: 'stranger' | 'own'
  name: string
  /** By rising `at`; `low` and `high` bound the rate with 95 % confidence. */
  points: { at: number; rate: number; low?: number; high?: number }[]
}

export interface CurvesProps {
  curves: Curve[]
  /** Rates that span powers of ten are drawn so. */
  scale: 'powers' | 'even'
  /** What `at` is called, and how it is written. */
  axis: string
  written: (at: number) => string
  /** A setting to point out. */
  mark?: { at: number; words: string } | undefined
  /** What the picture says. */
  words: string
}

export function Curves(props: CurvesProps) {
  const waiting = <div className={styles.drawing} />
  return (
    <figure className={styles.curves}>
      <ul className={styles.legend} aria-hidden="true">
        {props.curves.map(({ kind, name }) => (
          <li key={kind} data-kind={kind}>
            {name}
          </li>
        ))}
        {props.mark && <li data-kind="mark">{props.mark.words}</li>}
      </ul>
      <div className={styles.chart} role="img" aria-label={props.words}>
        <Suspense fallback={waiting}>
          <CurvesChart {...props} />
        </Suspense>
      </div>
    </figure>
  )
}
