/** What other features may use of this one. */
export { DeletionEffect, EffectLine } from './lazy.tsx'
export { EffectSentences } from './EffectLine.tsx'
