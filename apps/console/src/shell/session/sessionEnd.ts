/** The end of a session, which is fixed at login, whatever the user does meanwhile. */
import { useEffect, useState } from 'react'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { currentAddress } from '../../kit/navigation.ts'
import { request } from '../../api/request.ts'
import { endSession } from '../../api/session.ts'
import { storage } from '../../api/storage.ts'
import { returnAddress } from '../../api/returnAddress.ts'
import { path } from '../../paths.ts'

/** Time before the end at which the user is warned, in milliseconds. */
const WARN_BEFORE_MS = 10 * 60_000
/** Milliseconds between two checks: another tab may have logged in again. */
const LOOK_EVERY = 30_000

/**
 * Report when the session ends, once that is near, and send a call once it has ended: its refusal leads to the login.
 * @returns a function that stops it
 */
export function watchSessionEnd(onChange: (end: number | undefined) => void): () => void {
  let timer: ReturnType<typeof setTimeout>
  const look = (): void => {
    const end = storage.get('refreshExpires')
    const left = end === undefined ? Infinity : end - Date.now()
    onChange(left <= WARN_BEFORE_MS ? end : undefined)
    if (left <= 0) void request(identityCalls.keep, {}).catch(() => {})
    timer = setTimeout(look, left > 0 ? Math.min(LOOK_EVERY, left) : LOOK_EVERY)
  }
  look()
  return () => clearTimeout(timer)
}

/** Return when the session ends, once that is near. */
export function useSessionEnd(): number | undefined {
  const [end, setEnd] = useState<number>()
  useEffect(() => watchSessionEnd(setEnd), [])
  return end
}

/** End the session to start another: input and page are kept for the same user who logs in again. */
export async function logInAgain(): Promise<void> {
  returnAddress.remember(currentAddress())
  await request(identityCalls.revoke, {}, { errors: 'silent' }).catch(() => {})
  endSession(path('login'))
}
