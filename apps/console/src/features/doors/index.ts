/** What other features may use of this one. */
export { BatchDoors } from './BatchDoors.tsx'
export { DoorRequests } from './DoorRequests.tsx'
export { DoorRequestsDrawer, DoorSettingDialog } from './lazy.ts'
export { useDoorNow } from './useDoorNow.ts'
export { useDoorsLive } from './useDoorsLive.ts'
export { useDoorWords } from './doorWords.ts'
export { useOpeningQuestion } from './useOpeningQuestion.tsx'
