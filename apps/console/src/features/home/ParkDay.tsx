/** The day in the park: date and weekday in the language shown, on the park's clock. */
import { useTranslation } from 'react-i18next'
import { useEffect, useState } from 'react'
import { useZoneOffset } from '../../kit/time.ts'

const MINUTE = 60_000

export function ParkDay() {
  const { i18n } = useTranslation()
  const { offset } = useZoneOffset()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), MINUTE)
    return () => clearInterval(timer)
  }, [])
  // Shifted into the park's zone and then read as UTC, so that this computer's own zone has no say.
  const shown = new Intl.DateTimeFormat(i18n.language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'UTC',
  })
  return <time dateTime={new Date(now).toISOString()}>{shown.format(now + offset * MINUTE)}</time>
}
