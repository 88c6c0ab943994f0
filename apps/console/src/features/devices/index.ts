/** What other features may use of this one. */
export { DeviceState } from './DeviceState.tsx'
export { DoorOf } from './lazy.ts'
export { PassageRow } from './PassageRow.tsx'
export { useLatestRecords, withNewer } from './useLatestRecords.ts'
export { ANSWER_STAYS, useDoor, type DoorAnswer } from './useDoor.ts'
