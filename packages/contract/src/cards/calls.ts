/** Cards, card keys, and the machines that read and write them (module M06). */
import { issuingCalls } from './issuing.ts'
import { keyCalls } from './keys.ts'
import { writingCalls } from './writing.ts'

export const cardCalls = { ...keyCalls, ...writingCalls, ...issuingCalls }
