/** The token call (M02): a form and Basic authorization, by point 7.1 of calls.txt. */
import { expect } from 'vitest'
import { encrypted, loggedIn, newUser, PASSWORD } from './accounts.ts'
import type { Ground, Json, SpecifiedCall } from './specified.ts'

/** The client of a browser: public, without a secret. */
const CONSOLE = { basic: ['console', ''] } as const
const PROFILE = ['as', 'GET', '/users/profile'] as const

const nameOf = async (ground: Ground, tokens: Json): Promise<unknown> =>
  (await ground.by(String(tokens['access_token'])).done(...PROFILE))['username']

export const tokenCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-001',
    service: 'as',
    method: 'POST',
    path: '/auth/token',
    does:
      'obtains tokens for a password and for a refresh token; 902 for a first password, 100401 for a wrong one, 903 for the ' +
      'sixth of them',
    async holds(ground) {
      const ask = (form: Record<string, string>) => ground.by(CONSOLE).ask('as', 'POST', '/auth/token', new URLSearchParams(form))
      const byPassword = async (username: string, password: string) =>
        ask({ grant_type: 'password', username, ...(await encrypted(ground, { password })) })
      const { account } = await loggedIn(ground)
      const tokens = (await byPassword(account, PASSWORD)).data as Json
      expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: expect.any(Number) })
      expect(await nameOf(ground, tokens)).toBe(account)
      const refreshed = (await ask({ grant_type: 'refresh_token', refresh_token: String(tokens['refresh_token']) })).data as Json
      expect(refreshed['access_token']).not.toBe(tokens['access_token'])
      expect(await nameOf(ground, refreshed)).toBe(account)
      expect(await ground.by(String(tokens['access_token'])).ask(...PROFILE)).toMatchObject({ status: 401 })
      const fresh = await newUser(ground)
      expect(await byPassword(fresh.account, fresh.initialPassword)).toMatchObject({ status: 400, code: 902 })
      const codes = []
      for (let tries = 0; tries < 6; tries++) codes.push((await byPassword(account, `Wrong-pass-${tries}`)).code)
      expect(codes).toEqual([...Array.from({ length: 5 }, () => 100401), 903])
      expect(await byPassword(account, PASSWORD)).toMatchObject({ status: 400, code: 903 })
      expect((await ground.after(31 * 60_000, () => byPassword(account, PASSWORD))).status).toBe(200)
    },
  },
  {
    id: 'CALL-002',
    service: 'as',
    method: 'GET',
    path: '/auth/token',
    does: 'refreshes tokens by an address; takes no password there, and nothing without a client',
    async holds(ground) {
      const user = await loggedIn(ground)
      const address = `/auth/token?grant_type=refresh_token&refresh_token=${user.refreshToken}`
      expect((await ground.by(null).ask('as', 'GET', address)).status).toBe(401)
      const tokens = (await ground.by(CONSOLE).ask('as', 'GET', address)).data as Json
      expect(await nameOf(ground, tokens)).toBe(user.account)
      const { password } = await encrypted(ground, { password: PASSWORD })
      const query = new URLSearchParams({ grant_type: 'password', username: user.account, password }).toString()
      expect((await ground.by(CONSOLE).ask('as', 'GET', `/auth/token?${query}`)).status).toBe(400)
    },
  },
]
