/**
 * Request bodies sent by pages of the console, checked against the contract: a key that no call has must not be sent, since the server
 * would ignore it silently.
 */
import type { Browser, Request } from 'playwright-core'
import type { Call } from '@gatehouse/contract'
import { bodyKeysOf } from '@gatehouse/server/platform/http/request-keys'
import { ALL_CALLS } from './all-calls.ts'

interface Known {
  pattern: RegExp
  method: string
  call: Call
  oddKeysOf: ReturnType<typeof bodyKeysOf>
}

const patternOf = (url: string): RegExp =>
  new RegExp(`^${url.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)
/** Addresses without parameters come first: `/users/forget/passwd` is not the password of a user called forget. */
const known: readonly Known[] = ALL_CALLS.filter(({ method, service }) => method !== 'GET' && service !== 'device')
  .map((call) => ({
    pattern: patternOf(call.url),
    method: call.method,
    call,
    oddKeysOf: bodyKeysOf(call.body),
  }))
  .toSorted((one, other) => one.call.url.split('{').length - other.call.url.split('{').length)

const odd: string[] = []

/** Former names also count: integrators learn the calls from the requests of the console. */
function note(request: Request): void {
  const text = request.postData()
  if (text === null || !(request.headers()['content-type'] ?? '').startsWith('application/json')) return
  const path = decodeURIComponent(new URL(request.url()).pathname)
  const one = known.find(({ method, pattern }) => method === request.method() && pattern.test(path))
  if (one === undefined) return
  const body: unknown = JSON.parse(text)
  const keys = one.oddKeysOf(body).map((key) => key.path.join('.'))
  const renamed = JSON.stringify(body) === JSON.stringify(JSON.parse(text)) ? [] : ['a former name']
  for (const key of [...keys, ...renamed]) odd.push(`${one.method} ${one.call.url}: ${key}`)
}

/** Record what pages of contexts this browser opens from now on send. */
export function notingSentKeys(browser: Browser): Browser {
  const open = browser.newContext.bind(browser)
  browser.newContext = async (options) => {
    const context = await open(options)
    context.on('request', note)
    return context
  }
  return browser
}

/** Return the unknown keys that were sent since the last call, as `POST /…: path`. */
export const takeOddKeys = (): string[] => odd.splice(0)
