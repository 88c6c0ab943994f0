/** Keeps the session alive while a page is open: every ten minutes, or one minute after a failure. */
import { useEffect } from 'react'
import { TOKEN_KEEP_INTERVAL, TOKEN_KEEP_RETRY } from '@gatehouse/contract'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { request } from '../../api/request.ts'
import { storage } from '../../api/storage.ts'

/** Start to keep the session alive. @returns a function that stops it */
export function keepAlive(): () => void {
  let timer: ReturnType<typeof setTimeout>
  const keep = async (): Promise<number> => {
    const { expiresIn } = await request(identityCalls.keep, {})
    storage.set('tokenExpires', Date.now() + expiresIn * 1000)
    return TOKEN_KEEP_INTERVAL
  }
  const schedule = (seconds: number): void => {
    timer = setTimeout(
      () =>
        void keep()
          .catch(() => TOKEN_KEEP_RETRY)
          .then((next) => stopped || schedule(next)),
      seconds * 1000,
    )
  }
  let stopped = false
  schedule(TOKEN_KEEP_INTERVAL)
  return () => {
    stopped = true
    clearTimeout(timer)
  }
}

export const useKeepAlive = (): void => useEffect(keepAlive, [])
