/** What other features may use of this one: the watch on long work. */
export { useWorkWatch } from './useWorkWatch.ts'
