/** What other features may use of this one. */
export { PassageRow, useRefusalReason } from './PassageRow.tsx'
export { useLatestRecords, withNewer } from './useLatestRecords.ts'
