/** One period in figures, and what is wrong with it. */
import { CloseOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clockText, type Period } from './week.ts'
import styles from './rules.module.css'

interface PeriodInputProps {
  value: Period
  /** Sentence of what is wrong; undefined where nothing is. */
  fault: string | undefined
  change: (part: Partial<Period>) => void
  remove: () => void
}

export function PeriodInput({ value, fault, change, remove }: PeriodInputProps) {
  const { t } = useTranslation('access')
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

interface ClockInputProps {
  label: string
  value: string
  set: (value: string) => void
  /** Its own, whatever the form says of the week as a whole. */
  status: 'error' | 'success'
}

/** Takes a time as people type it; the figures are set right when the field is left. */
function ClockInput({ label, value, set, ...rest }: ClockInputProps) {
  const [typed, setTyped] = useState<string>()
  return (
    <Input
      {...rest}
      size="small"
      className={styles.clock ?? ''}
      aria-label={label}
      placeholder="08:00"
      inputMode="numeric"
      maxLength={5}
      value={typed ?? value}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={() => {
        if (typed !== undefined) set(clockText(typed))
        setTyped(undefined)
      }}
      onPressEnter={(event) => {
        // The form is not to be sent by a time being finished.
        event.preventDefault()
        event.currentTarget.blur()
      }}
    />
  )
}
