/** What remote control asks of the line to devices. */
import { extensionPoint } from '../../platform/extension-points.ts'
import type { DoorControl } from './door-control.ts'

export const doorControl = extensionPoint<DoorControl>('doors.control')
