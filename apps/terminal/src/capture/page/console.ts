/** Calls of the camera's console. */
import type { CaptureSettings } from '../settings.ts'
import { currentLanguage, say } from './words.ts'

const [SUCCESS, NOT_LOGGED_IN] = [200, 401]

/** The camera refused a call, in its own words. */
export class Refused extends Error {
  readonly isLoggedOut: boolean
  constructor(message: string, isLoggedOut: boolean) {
    super(message)
    this.isLoggedOut = isLoggedOut
  }
}

async function call(method: string, path: string, body?: object): Promise<unknown> {
  const headers = { 'x-gatehouse-console': '1', 'accept-language': currentLanguage(), 'content-type': 'application/json' }
  const response = await fetch(`/console/api/${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }).catch(() => null)
  const answer = (await response?.json().catch(() => null)) as { code: number; message: string; data?: unknown } | null | undefined
  if (!answer) throw new Refused(say('notReachable'), false)
  if (answer.code !== SUCCESS) throw new Refused(answer.message, answer.code === NOT_LOGGED_IN)
  return answer.data
}

/** @throws Refused */
export const logIn = (account: string, password: string) => call('POST', 'login', { account, password })
/** @throws Refused */
export const readSettings = () => call('GET', 'capture/settings') as Promise<CaptureSettings>
/** @throws Refused */
export const changeSettings = (change: Partial<CaptureSettings>) => call('PUT', 'capture/settings', change) as Promise<CaptureSettings>
