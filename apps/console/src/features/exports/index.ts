/** What other features may use of this one. */
export { ExportRecords } from './ExportRecords.tsx'
