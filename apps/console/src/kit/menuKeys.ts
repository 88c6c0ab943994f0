/** Keys in menus. */
import type { MenuProps } from 'antd'

/** Ends the key press that chose an entry: the Enter that opens a dialog would otherwise press the button that the dialog focuses first. */
export const endKey: NonNullable<MenuProps['onClick']> = ({ domEvent }) => domEvent.preventDefault()
