/** A time of day. Any usual notation is accepted; it is normalised when the field is left. */
import { Input } from 'antd'
import { useState } from 'react'
import { clockText } from './clock.ts'

interface ClockInputProps {
  label: string
  value: string
  set: (value: string) => void
  /** Status of this input alone, whatever the form reports about the field as a whole. */
  status?: 'error' | 'success'
  'aria-describedby'?: string | undefined
  'aria-invalid'?: boolean
}

export function ClockInput({ label, value, set, ...rest }: ClockInputProps) {
  const [typed, setTyped] = useState<string>()
  return (
    <Input
      {...rest}
      size="small"
      style={{ width: 58, textAlign: 'center' }}
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
        // Finishing a time must not submit the form.
        event.preventDefault()
        event.currentTarget.blur()
      }}
    />
  )
}
