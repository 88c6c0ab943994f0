/** Keys in menus. */
import type { MenuProps } from 'antd'

/** What a menu does once an entry was chosen: the Enter that opens a dialog would go on to press the button the dialog begins on. */
export const endKey: NonNullable<MenuProps['onClick']> = ({ domEvent }) => domEvent.preventDefault()
