/** Headers that every answer carries, whatever it answers. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import { startWorld, type World } from '@gatehouse/dev-env/world'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world?.stop())

const POLICY = [
  "default-src 'self'",
  "base-uri 'self'",
  "font-src 'self' https: data:",
  "form-action 'self'",
  "frame-ancestors 'self'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "script-src 'self'",
  "script-src-attr 'none'",
  "style-src 'self' 'unsafe-inline'",
  "media-src 'self' blob:",
  "frame-src 'self' blob:",
  "connect-src 'self' ws: wss:",
].join(';')

test.each([
  ['an answer', 200, peopleCalls.list.url, true],
  ['a refusal', 401, peopleCalls.list.url, false],
  ['a wrong request', 400, `${peopleCalls.list.url}?size=0`, true],
  ['nothing', 404, '/nothing', false],
])('%s tells the browser what a page may do', async (_what, status, path, signedIn) => {
  const { bearer } = world.client.credentials as { bearer: string }
  const answer = await fetch(world.url + path, { headers: signedIn ? { authorization: `Bearer ${bearer}` } : {} })
  expect(answer.status).toBe(status)
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-security-policy': POLICY,
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'SAMEORIGIN',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  })
  // Browsers may go on using plain http for a host that uses it.
  expect(answer.headers.get('strict-transport-security')).toBeNull()
})
