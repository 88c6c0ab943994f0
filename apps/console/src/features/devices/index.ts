/** What other features may use of this one. */
export { DeviceState } from './DeviceState.tsx'
export { DoorOf } from './lazy.ts'
export { PassageRow, useLatestRecords, withNewer } from './latestPassages.tsx'
export { ANSWER_STAYS, useDoor, type DoorAnswer } from './useDoor.ts'
