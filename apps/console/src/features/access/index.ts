/** What other features may use of this one. */
export { PermitDialog, PermitField, PermitNotice } from './permit/lazy.ts'
export { isChosen, isGranted, type PermitResult, type PermitValue } from './permit/permitValue.ts'
export type { PermitRequest } from './permit/PermitDialog.tsx'
export { usePermit } from './permit/usePermit.ts'
export { DeletionEffect, EffectLine } from './questions/lazy.tsx'
export { DeviceSync } from './synchronisation/DeviceSync.tsx'
export { useSyncWords } from './synchronisation/syncWords.ts'
export { usePersonSync } from './synchronisation/usePersonSync.ts'
