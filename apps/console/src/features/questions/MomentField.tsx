/** When it is about: now, or a time on the clock of the park. */
import { Form, Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { InstantField } from '../../kit/form/InstantField.tsx'
import styles from './questions.module.css'

const MINUTE = 60_000

interface MomentFieldProps {
  /** Epoch milliseconds; undefined: now. */
  value: number | undefined
  onChange: (at: number | undefined) => void
}

export function MomentField({ value, onChange }: MomentFieldProps) {
  const { t } = useTranslation('questions')
  return (
    <Form.Item label={t('when')} htmlFor="question-at">
      <div className={styles.moment}>
        <Segmented
          aria-label={t('when')}
          value={value === undefined ? 'now' : 'at'}
          onChange={(chosen) => onChange(chosen === 'now' ? undefined : Math.floor(Date.now() / MINUTE) * MINUTE)}
          options={[
            { value: 'now', label: t('now') },
            { value: 'at', label: t('at') },
          ]}
        />
        {value !== undefined && <InstantField id="question-at" as="time" value={value} onChange={(at) => onChange(at ?? undefined)} />}
      </div>
    </Form.Item>
  )
}
