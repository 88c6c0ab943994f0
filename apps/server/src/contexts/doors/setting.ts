/** Setting of a park: how its doors are controlled. */
import { DOOR_HELD_OPEN, doorSetting, type DoorSetting } from '@gatehouse/contract/doors/calls'
import { defineSetting } from '../organisation/index.ts'

export const doorControlSetting = defineSetting<DoorSetting>('doors.control', doorSetting, { holdSeconds: DOOR_HELD_OPEN, confirmFlag: 0 })
