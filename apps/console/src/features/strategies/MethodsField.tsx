/** The methods of a strategy. */
import { Checkbox } from 'antd'
import { accessMethod } from '@gatehouse/contract/enums/access'
import { useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import styles from './strategies.module.css'

interface MethodsFieldProps {
  /** Given by `<Form.Item>`; other properties it gives, such as aria-required, are not allowed on a group. */
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
