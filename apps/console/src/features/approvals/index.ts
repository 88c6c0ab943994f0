/** What other features may use of this one. */
export { PermitDialog, PermitField, PermitNotice } from './permit/lazy.ts'
export { isChosen, isGranted, type PermitResult, type PermitValue } from './permit/permitValue.ts'
export type { PermitRequest } from './permit/PermitDialog.tsx'
export { usePermit } from './permit/usePermit.ts'
export { BreachLine, BreachesAhead, hinderedBy } from './Breaches.tsx'
