/** What other features may use of this one. */
export { PersonCards } from './PersonCards.tsx'
