/** What other features may use of this one. */
export { ExportButton, ExportRecords } from './ExportRecords.tsx'
