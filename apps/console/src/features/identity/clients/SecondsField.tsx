/** Seconds, with the words for as long as that is. */
import { InputNumber } from 'antd'
import { useTranslation } from 'react-i18next'
import styles from '../identity.module.css'
import { spanOf } from './clientValues.ts'

interface SecondsFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: number
  onChange?: (seconds: number | null) => void
}

export function SecondsField({ id, value, onChange }: SecondsFieldProps) {
  const { t } = useTranslation('identity')
  const span = value && Number.isInteger(value) ? spanOf(value) : undefined
  return (
    <span className={styles.seconds}>
      <InputNumber<number>
        {...(id && { id })}
        {...(value !== undefined && { value })}
        onChange={(seconds) => onChange?.(seconds)}
        precision={0}
        step={600}
        suffix={t('span.suffix')}
        style={{ width: 150 }}
      />
      {span && span.unit !== 'second' && <span>= {t(`span.${span.unit}`, { count: span.count })}</span>}
    </span>
  )
}
