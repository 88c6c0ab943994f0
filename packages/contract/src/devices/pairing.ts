/** Whose hands the secret of a device may come into. */
import { mayCall, type Caller } from '../policy.ts'
import { deviceCalls } from './calls.ts'

/** Whether a session may be given the secret of a device, by which it receives persons with all they are recognised by. */
export const mayPair = (caller: Caller): boolean => mayCall(caller, deviceCalls.resetSecret)
