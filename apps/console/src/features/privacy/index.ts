/** What other features may use of this one. */
export { ConsentSection } from './ConsentSection.tsx'
export { useErasePersons } from './useErasePersons.tsx'
