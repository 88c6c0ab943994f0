/** What other features may use of this one. */
export { default as LinkOnce, type OnceLink } from './LinkOnce.tsx'
