/** What other features may use of this one. */
export { Clinic, hasMatch } from './Clinic.tsx'
