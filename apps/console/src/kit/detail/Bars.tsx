/** Placeholder for lines that are still being loaded. */
import styles from '../kit.module.css'

export function Bars({ count }: { count: number }) {
  return (
    <div className={styles.bars} aria-hidden="true">
      {Array.from({ length: count }, (_, at) => (
        <i key={at} />
      ))}
    </div>
  )
}
