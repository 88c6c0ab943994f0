/** Since when a device is connected; for one that is not, when it last was. */
import { useTranslation } from 'react-i18next'
import { RelativeTime } from '../kit/detail/RelativeTime.tsx'
import { clockOrDate, formatInstant, useZoneOffset } from '../kit/time.ts'

interface ConnectionProps {
  of: { lastSeenAt: number | null; onlineSince: number | null }
  /** Whether the online state is shown beside it already. */
  stated?: boolean
}

export function Connection({ of: { lastSeenAt, onlineSince }, stated = false }: ConnectionProps) {
  const { t } = useTranslation()
  const { offset } = useZoneOffset()
  if (onlineSince === null) return <RelativeTime at={lastSeenAt} />
  return (
    <time dateTime={new Date(onlineSince).toISOString()} title={formatInstant(onlineSince, offset)}>
      {t(stated ? 'time.since' : 'time.onlineSince', { time: clockOrDate(onlineSince, Date.now(), offset) })}
    </time>
  )
}
