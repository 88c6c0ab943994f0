/** One period in figures, and what is wrong with it. */
import { CloseOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { ClockInput } from '../../../kit/form/ClockInput.tsx'
import type { Period } from './week.ts'
import styles from './rules.module.css'

interface PeriodInputProps {
  value: Period
  /** Sentence of what is wrong; undefined where nothing is. */
  fault: string | undefined
  change: (part: Partial<Period>) => void
  remove: () => void
}

export function PeriodInput({ value, fault, change, remove }: PeriodInputProps) {
  const { t } = useTranslation('strategies')
  const id = useId()
  const bad = {
    status: fault ? ('error' as const) : ('success' as const),
    'aria-describedby': fault ? id : undefined,
    'aria-invalid': fault !== undefined,
  }
  return (
    <span className={styles.period}>
      <ClockInput label={t('start')} value={value.start} set={(start) => change({ start })} {...bad} />
      –
      <ClockInput label={t('end')} value={value.end} set={(end) => change({ end })} {...bad} />
      <Button
        type="text"
        size="small"
        icon={<CloseOutlined />}
        onClick={remove}
        aria-label={t('removePeriod', { period: `${value.start}–${value.end}` })}
      />
      {fault && (
        <small id={id} className={styles.fault}>
          {fault}
        </small>
      )}
    </span>
  )
}
