/** Both kinds of error by setting, with a legend and an equivalent text. The drawing is loaded separately. */
import { lazy, Suspense } from 'react'
import type { CurvesProps } from './curve.ts'
import styles from './faces.module.css'

const CurvesChart = lazy(() => import('./CurvesChart.tsx'))

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
