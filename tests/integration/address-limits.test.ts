/** Public calls have bounded cost and storage: each has a limit per address, or a reason to need none. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Call } from '@gatehouse/contract'
import { calls } from '@gatehouse/contract/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'
import { clockAhead } from '../support/clock-ahead.ts'
import { newAddress } from '../support/from-address.ts'

/** Number of concurrent requests. */
const AT_ONCE = 20

let world: World
const ahead = clockAhead()
beforeAll(async () => {
  world = await startWorld({ clock: ahead.clock })
})
afterAll(() => world?.stop())

const nameOf = ({ method, url }: Call): string => `${method} ${url}`
const open = calls.filter(({ permission }) => permission === 'public' || permission === 'basic')

/** Why a call needs no limit of its own. */
const UNLIMITED: Record<string, string> = {
  'POST /asService/uface/v1/auth/token': 'counts every try of an address before it looks at the password (login-proof.ts)',
  'GET /asService/uface/v1/auth/token': 'takes no password; a wrong secret or refresh token costs one look-up and stores nothing',
  'GET /asService/uface/v1/users/login/config': 'stores nothing and costs one signature',
  'GET /bizService/uface/v1/system/ui/config': 'reads what every page needs, and stores nothing',
  'GET /bizService/uface/v1/system/ui/background/config': 'reads what every page needs, and stores nothing',
  'GET /bizService/uface/v1/domain/logo': 'reads what every page needs, and stores nothing',
  'POST /bizService/uface/v1/person/enrolment/open': 'counts wrong tokens of an address itself (links.ts), and stores nothing else',
  'POST /bizService/uface/v1/person/enrolment/submit': 'needs the token of a link, and counts what an address hands in (links.ts)',
  'POST /bizService/uface/v1/person/enrolment/submit/second': 'needs the token of a link, and counts what an address hands in (links.ts)',
}

describe('a call that anybody may make', () => {
  test('has a limit for one address, or a reason to need none', () => {
    const unlimited = open.filter(({ perAddress }) => perAddress === undefined).map(nameOf)
    expect(unlimited.toSorted()).toEqual(Object.keys(UNLIMITED).toSorted())
  })

  const limited = open.filter(({ perAddress }) => perAddress !== undefined)
  test.each(limited.map((call) => [nameOf(call), call] as const))('%s is refused beyond its limit', async (_, call) => {
    const { requests, minutes } = call.perAddress!
    const ask = async (ip: string) => {
      // The request is invalid on purpose: only that it was made counts.
      const answer = await fetch(world.url + call.url, { method: call.method, headers: { 'x-forwarded-for': ip } })
      await answer.arrayBuffer()
      // The time after which to try again: within the window, and not before it ends.
      const wait = answer.headers.get('retry-after')
      if (answer.status !== 429) expect(wait).toBeNull()
      else expect(Number(wait) > 0 && Number(wait) <= minutes * 60, `Retry-After: ${wait}`).toBe(true)
      return answer.status
    }
    const ip = newAddress()
    for (let made = 0; made < requests; made += AT_ONCE) {
      const statuses = await Promise.all(Array.from({ length: Math.min(AT_ONCE, requests - made) }, () => ask(ip)))
      expect(statuses).not.toContain(429)
    }
    expect(await ask(ip)).toBe(429)
    expect(await ask(newAddress())).not.toBe(429)
    expect(await ahead.after(minutes * 60_000 + 1, () => ask(ip))).not.toBe(429)
  })
})
