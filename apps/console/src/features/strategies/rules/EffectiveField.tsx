/** From when a time rule works: from today, from tomorrow, or from a day to be chosen; days are those of the park. */
import { Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { DateField } from '../../../kit/form/DateField.tsx'
import { formatDate, useZoneOffset } from '../../../kit/time.ts'
import styles from './rules.module.css'

interface EffectiveFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  /** `YYYY-MM-DD`; null: from now on. */
  value?: string | null
  onChange?: (date: string | null) => void
}

const DAY = 86_400_000
const CHOICES = ['today', 'tomorrow', 'date'] as const
type Choice = (typeof CHOICES)[number]

export function EffectiveField({ id, value = null, onChange }: EffectiveFieldProps) {
  const { t } = useTranslation('strategies')
  const { offset } = useZoneOffset()
  const [dated, setDated] = useState(false)
  const [now] = useState(() => Date.now())
  const tomorrow = formatDate(now + DAY, offset)
  const choice: Choice = dated ? 'date' : value === null ? 'today' : value === tomorrow ? 'tomorrow' : 'date'
  function choose(chosen: Choice): void {
    setDated(chosen === 'date')
    onChange?.(chosen === 'today' ? null : chosen === 'tomorrow' ? tomorrow : (value ?? formatDate(now, offset)))
  }
  return (
    <div className={styles.effective}>
      <Segmented<Choice>
        {...(id && { id })}
        aria-label={t('effectiveDate')}
        value={choice}
        onChange={choose}
        options={CHOICES.map((one) => ({ value: one, label: t(`effective.${one}`) }))}
      />
      {choice === 'date' && <DateField value={value} onChange={(date) => onChange?.(date || null)} />}
    </div>
  )
}
