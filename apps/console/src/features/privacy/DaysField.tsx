/** After how many days somebody is erased, or never. */
import { InputNumber, Switch } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from './privacy.module.css'

/** Offered when somebody turns it on. */
const DAYS = 180
const DAYS_MAX = 3650

interface DaysFieldProps {
  /** Of whom. */
  label: string
  /** What the days count from. */
  words: string
  /** Given by the form. */
  id?: string
  value?: number | null
  onChange?: (days: number | null) => void
}

export function DaysField({ id, label, words, value = null, onChange }: DaysFieldProps) {
  const { t } = useTranslation('privacy')
  return (
    <div className={styles.days}>
      <Switch
        aria-label={t('policy.retention.erase', { kind: label })}
        checked={value !== null}
        onChange={(on) => onChange?.(on ? DAYS : null)}
      />
      {value === null ? (
        <span id={id}>{t('policy.retention.never')}</span>
      ) : (
        <>
          <InputNumber id={id} min={1} max={DAYS_MAX} precision={0} value={value} onChange={(days) => onChange?.(days ?? 1)} />
          <span>{t('policy.retention.days')}</span>
          <small>{words}</small>
        </>
      )}
    </div>
  )
}
