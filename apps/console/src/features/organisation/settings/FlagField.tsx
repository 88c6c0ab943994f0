/** A switch for a value the wire writes as 1 and 0. */
import { Switch } from 'antd'

interface FlagFieldProps {
  /** Given by `<Form.Item>`. */
  id?: string
  value?: 0 | 1
  onChange?: (value: 0 | 1) => void
}

export function FlagField({ id, value = 0, onChange }: FlagFieldProps) {
  return <Switch {...(id && { id })} checked={value === 1} onChange={(on) => onChange?.(on ? 1 : 0)} />
}
