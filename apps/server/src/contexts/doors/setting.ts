/** How doors are controlled in a park. */
import { DOOR_HELD, doorSetting, type DoorSetting } from '@gatehouse/contract/doors/calls'
import { defineSetting } from '../organisation/index.ts'

export const doorControlSetting = defineSetting<DoorSetting>('doors.control', doorSetting, { holdSeconds: DOOR_HELD, confirmFlag: 0 })
