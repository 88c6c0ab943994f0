/** The methods of a strategy: the built ones, and those it has already. */
import { Checkbox } from 'antd'
import { useState } from 'react'
import { BUILT_METHODS } from '@gatehouse/contract/built'
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
  // A method that is unticked can be ticked again while the form is open.
  const [offered] = useState(() => new Set([...BUILT_METHODS, ...value]))
  return (
    <Checkbox.Group<number | string>
      {...(id && { id })}
      className={styles.methods ?? ''}
      options={optionsOf(accessMethod).filter((option) => offered.has(Number(option.value)))}
      value={value}
      onChange={(chosen) => onChange?.(chosen.map(Number))}
    />
  )
}
