/** What other features may use of this one. */
export { default as LinkOnce } from './LinkOnce.tsx'
