/** A cell of two lines; the second is left out where it is empty. */
import styles from './alarms.module.css'

export function Two({ first, second }: { first: string; second: string }) {
  return (
    <span className={styles.two}>
      <span title={first}>{first}</span>
      {second !== '' && <small title={second}>{second}</small>}
    </span>
  )
}
