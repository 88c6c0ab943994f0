/** What other features may use of this one. */
export { pathOfPerson } from './personKinds.ts'
export { usePersonActions } from './personActions.tsx'
export { PersonsFound, PersonsSearching, SearchWords } from './search/PersonsFound.tsx'
export { SearchPhoto } from './search/SearchPhoto.tsx'
