/** What other features may use of this one. */
export { pathOfPerson } from './personKinds.ts'
export { usePersonActions } from './personActions.tsx'
