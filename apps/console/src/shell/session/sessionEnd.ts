/** The end of a session, which comes so many hours after the login whatever is done meanwhile. */
import { useEffect, useState } from 'react'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { currentAddress } from '../../kit/navigation.ts'
import { request } from '../../api/request.ts'
import { endSession } from '../../api/session.ts'
import { storage } from '../../api/storage.ts'
import { returnAddress } from '../../api/returnAddress.ts'
import { path } from '../../paths.ts'

/** How long before it the person is warned. */
const WARN_BEFORE_MS = 10 * 60_000
/** Another tab may have logged in again. */
const LOOK_EVERY = 30_000

/**
 * Tells when the session ends, once that is near, and asks the server once it has: the refusal leads to the login.
 *
 * @returns ends it
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

/** When the session ends, where that is near. */
export function useSessionEnd(): number | undefined {
  const [end, setEnd] = useState<number>()
  useEffect(() => watchSessionEnd(setEnd), [])
  return end
}

/** Ends the session to begin another: what was typed and the page stay for the same user who logs in again. */
export async function logInAgain(): Promise<void> {
  returnAddress.remember(currentAddress())
  await request(identityCalls.revoke, {}, { errors: 'silent' }).catch(() => {})
  endSession(path('login'))
}
