/** What other features may use of this one. */
export { TenderNote } from './TenderNote.tsx'
