/** Lines that are still to come, as tall as those that take their place. */
import styles from './home.module.css'

export const WaitingLines = ({ count }: { count: number }) =>
  Array.from({ length: count }, (_, at) => (
    <li key={at}>
      <span className={styles.line}>
        <i className={styles.bar} />
      </span>
    </li>
  ))
