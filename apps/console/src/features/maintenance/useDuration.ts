/** How long something took, in words: the two largest units, seconds below a minute. */
import { useTranslation } from 'react-i18next'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** @returns words for milliseconds */
export function useDuration(): (milliseconds: number) => string {
  const { t } = useTranslation('maintenance')
  return (milliseconds) => {
    const [days, hours, minutes] = [
      Math.floor(milliseconds / DAY),
      Math.floor((milliseconds % DAY) / HOUR),
      Math.floor((milliseconds % HOUR) / MINUTE),
    ]
    if (days > 0) return t('duration.days', { days, hours })
    if (hours > 0) return t('duration.hours', { hours, minutes })
    const seconds = Math.max(0, Math.floor((milliseconds % MINUTE) / 1000))
    return minutes > 0 ? t('duration.minutes', { minutes, seconds }) : t('duration.seconds', { seconds })
  }
}
