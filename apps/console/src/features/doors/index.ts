/** What other features may use of this one. */
export { BatchDoors } from './BatchDoors.tsx'
export { DoorRequests } from './DoorRequests.tsx'
export { DoorRequestsDrawer, DoorSettingDialog } from './lazy.ts'
export { useDoorNow, useDoorsLive } from './doorsNow.ts'
export { useDoorWords, useOpeningQuestion } from './doorWords.ts'
