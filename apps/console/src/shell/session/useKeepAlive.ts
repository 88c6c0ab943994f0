/** Keeps the session alive while a page is open: every ten minutes, after a failure again in one. */
import { useEffect } from 'react'
import { TOKEN_KEEP_INTERVAL, TOKEN_KEEP_RETRY } from '@gatehouse/contract'
import { identityCalls } from '@gatehouse/contract/identity/calls'
import { request } from '../../kit/request.ts'

export function useKeepAlive(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const schedule = (seconds: number): void => {
      timer = setTimeout(() => {
        request(identityCalls.keep, {}).then(
          () => schedule(TOKEN_KEEP_INTERVAL),
          () => schedule(TOKEN_KEEP_RETRY),
        )
      }, seconds * 1000)
    }
    schedule(TOKEN_KEEP_INTERVAL)
    return () => clearTimeout(timer)
  }, [])
}
