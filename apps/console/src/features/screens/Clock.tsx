/** Time and day on the clock of the park, and whether what is shown is live. */
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLiveState } from '../../api/live.ts'
import { formatInstant, useZoneOffset } from '../../kit/time.ts'
import styles from './wall.module.css'

export function Clock() {
  const { t, i18n } = useTranslation('screens')
  const { offset } = useZoneOffset()
  const live = useLiveState(({ state }) => state)
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [])
  // The park's wall clock, spoken of as if it were UTC.
  const day = new Intl.DateTimeFormat(i18n.language, { timeZone: 'UTC', weekday: 'long', month: 'long', day: 'numeric' }).format(
    now + offset * 60_000,
  )
  return (
    <div className={styles.clock}>
      <p>
        <span>{day}</span>
        <small data-live={live}>{t(`live.${live}`)}</small>
      </p>
      <time dateTime={new Date(now).toISOString()}>{formatInstant(now, offset).slice(11, 16)}</time>
    </div>
  )
}
