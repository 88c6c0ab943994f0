/** What other features use of face recognition: watching long work. */
export { useWorkWatch } from './useWorkWatch.ts'
