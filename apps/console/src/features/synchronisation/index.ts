/** What other features may use of this one. */
export { DeviceSync } from './DeviceSync.tsx'
export { useSyncWords } from './syncWords.ts'
export { usePersonSync } from './usePersonSync.ts'
export { SyncStatus } from './SyncStatus.tsx'
export { SyncContext } from './syncCalls.ts'
export { useSyncWatch } from './useSyncWatch.ts'
