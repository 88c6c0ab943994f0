/** What other features show of the installation. */
export { TenderNote } from './TenderNote.tsx'
