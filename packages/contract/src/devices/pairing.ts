/** Who may receive the secret of a device. */
import { mayCall, type Caller } from '../policy.ts'
import { deviceCalls } from './calls.ts'

/** Return whether a session may receive the secret of a device, by which it gets persons with all data for their recognition. */
export const mayPair = (caller: Caller): boolean => mayCall(caller, deviceCalls.resetSecret)
