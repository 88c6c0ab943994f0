/** From when to when, on the clock of the park, in one line above a list. */
import { useTranslation } from 'react-i18next'
import { InstantField } from './InstantField.tsx'
import styles from './period.module.css'

export interface Period {
  startTime?: number | undefined
  endTime?: number | undefined
}

export function PeriodFields({ value: { startTime, endTime }, onChange }: { value: Period; onChange: (period: Period) => void }) {
  const { t } = useTranslation()
  return (
    <div className={styles.period} role="group" aria-label={t('period.title')}>
      <label>
        <span>{t('period.from')}</span>
        <InstantField as="start" value={startTime ?? null} onChange={(at) => onChange({ endTime, startTime: at ?? undefined })} />
      </label>
      <label>
        <span>{t('period.to')}</span>
        <InstantField as="end" value={endTime ?? null} onChange={(at) => onChange({ startTime, endTime: at ?? undefined })} />
      </label>
    </div>
  )
}
