/** A time in words: relative while it is recent, on the clock of the park, in full on hover. */
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePrinting } from '../printing.ts'
import { formatDate, formatInstant, shortTime, useZoneOffset } from '../time.ts'
import styles from '../kit.module.css'

const HOUR = 3_600_000

export function RelativeTime({ at }: { at: number | null | undefined }) {
  const { t } = useTranslation()
  const { offset } = useZoneOffset()
  const now = useNow(at)
  const printing = usePrinting()
  if (at === null || at === undefined) return <span className={styles.none}>—</span>
  const short = shortTime(at, now, offset)
  const words = short.unit === 'text' ? short.text : short.unit === 'now' ? t('time.now') : t(`time.${short.unit}`, { count: short.count })
  return (
    <time dateTime={new Date(at).toISOString()} title={formatInstant(at, offset)}>
      {printing ? formatInstant(at, offset) : words}
    </time>
  )
}

/** The day of a time, and the time in full on hover. */
export function DateOnly({ at }: { at: number | null | undefined }) {
  const { offset } = useZoneOffset()
  if (at === null || at === undefined) return <span className={styles.none}>—</span>
  return (
    <time dateTime={new Date(at).toISOString()} title={formatInstant(at, offset)}>
      {formatDate(at, offset)}
    </time>
  )
}

/** Return the present time, updated each second in the first minute, each half minute within the hour, and not at all later. */
function useNow(at: number | null | undefined): number {
  const [now, setNow] = useState(() => Date.now())
  const age = at ? now - at : Infinity
  const pace = age < 60_000 ? 1000 : age < HOUR ? 30_000 : undefined
  useEffect(() => {
    if (!pace) return
    const timer = setInterval(() => setNow(Date.now()), pace)
    return () => clearInterval(timer)
  }, [pace])
  return now
}
