/** What remote control needs from the line to devices. */
import { singlePoint } from '../../platform/extension-points.ts'
import type { DoorControl } from './door-control.ts'

export const doorControl = singlePoint<DoorControl>('doors.control')
