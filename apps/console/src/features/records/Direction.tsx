/** In or out, with its arrow. */
import { LoginOutlined, LogoutOutlined } from '@ant-design/icons'
import { passDirection } from '@gatehouse/contract/enums/devices'
import { useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import styles from './list.module.css'

export function Direction({ value }: { value: number }) {
  const label = useEnumLabel()
  return (
    <span className={styles.direction}>
      {value === passDirection.out ? <LogoutOutlined /> : <LoginOutlined />} {label(passDirection, value)}
    </span>
  )
}
