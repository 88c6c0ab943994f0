/** What other features may use of this one. */
export { DoorFields, TREE_CHOICE } from './DoorFields.tsx'
export { detailOf } from './addresses.ts'
export { WeekField } from './rules/WeekField.tsx'
export { useWeekWords } from './rules/WeekPicture.tsx'
export { ALWAYS, WEEKDAYS, clockOf, periodsOf, spanOf, type Period } from './rules/week.ts'
