/** Shown while the first page loads, as `index.html` shows it before anything has loaded. */
import { Mark } from '../Mark.tsx'
import styles from './pages.module.css'

export function Splash() {
  return (
    <div className={styles.splash} role="status">
      <Mark size={48} />
    </div>
  )
}
