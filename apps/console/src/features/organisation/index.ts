/** What other features may use of this one. */
export { CustomerGroup, Registration } from './settings/Registration.tsx'
