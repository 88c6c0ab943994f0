/** The week of a rule: a picture to draw on, and the periods of each day in figures. */
import { useTranslation } from 'react-i18next'
import { validateTimeRule } from '@gatehouse/access-rules'
import { sentenceOfIssue } from '../../../api/refusal.ts'
import { DayRow } from './DayRow.tsx'
import { periodsOf, WEEKDAYS, type Period } from './week.ts'
import styles from './rules.module.css'

interface WeekFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: Period[]
  onChange?: (periods: Period[]) => void
}

const HOURS = [0, 3, 6, 9, 12, 15, 18, 21, 24]

export function WeekField({ id, value = [], onChange }: WeekFieldProps) {
  const { t } = useTranslation('strategies')
  const change = (periods: Period[]): void => onChange?.(periods)
  /** Faults in words, by the place of the period. */
  const faults = new Map<number, string>()
  for (const issue of validateTimeRule({ periods: value })) {
    const place = Number(issue.path.split('.')[1])
    if (!faults.has(place)) faults.set(place, sentenceOfIssue(issue))
  }
  return (
    <div id={id} className={styles.week} role="group" aria-label={t('week')} tabIndex={-1}>
      <div className={styles.hours} aria-hidden="true">
        {HOURS.map((hour) => (
          <span key={hour} style={{ left: `${(hour / 24) * 100}%` }}>
            {hour}
          </span>
        ))}
      </div>
      {value.length === 0 && (
        <p className={styles.fault} role="alert">
          {t('periodNeeded')}
        </p>
      )}
      {WEEKDAYS.map((day) => (
        <DayRow key={day} day={day} periods={periodsOf(value, day)} all={value} faults={faults} change={change} />
      ))}
      <p className={styles.hint}>{t('weekHint')}</p>
    </div>
  )
}
