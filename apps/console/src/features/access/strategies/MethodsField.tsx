/** The ways of passing a strategy takes. */
import { Checkbox } from 'antd'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { useEnumOptions } from '../../../kit/EnumTag.tsx'
import styles from './strategies.module.css'

interface MethodsFieldProps {
  /** Given by `<Form.Item>`; what else it gives, such as aria-required, a group may not carry. */
  id?: string
  value?: number[]
  onChange?: (methods: number[]) => void
}

export function MethodsField({ id, value = [], onChange }: MethodsFieldProps) {
  const optionsOf = useEnumOptions()
  return (
    <Checkbox.Group<number | string>
      {...(id && { id })}
      className={styles.methods ?? ''}
      options={optionsOf(accessMethod)}
      value={value}
      onChange={(chosen) => onChange?.(chosen.map(Number))}
    />
  )
}
