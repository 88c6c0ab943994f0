/** What other features may use of this one. */
export { usePrintVisit, type PrintVisit } from './usePrintVisit.tsx'
