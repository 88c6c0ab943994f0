/** What other features may use of this one. */
export { DeviceSync } from './synchronisation/DeviceSync.tsx'
export { useSyncWords } from './synchronisation/syncWords.ts'
