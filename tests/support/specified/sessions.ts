/** Tokens, the session and logging in (M02), by points 7.1 and 7.2 of calls.txt. */
import { expect } from 'vitest'
import { askToken, chooseFirst, encrypted, loggedIn, login, newUser, PASSWORD } from './accounts.ts'
import type { SpecifiedCall } from './specified.ts'

const HOUR = 3_600_000
const PROFILE = ['as', 'GET', '/users/profile'] as const

export const sessionCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-003',
    service: 'as',
    method: 'POST',
    path: '/token/keep',
    does: 'keeps a token good that would have expired, and no other',
    async holds(ground) {
      const [kept, other] = [await loggedIn(ground), await loggedIn(ground)]
      await ground.after(1.5 * HOUR, () => kept.done('as', 'POST', '/token/keep'))
      await ground.after(3 * HOUR, async () => {
        await kept.done(...PROFILE)
        expect(await other.ask(...PROFILE)).toMatchObject({ status: 401, code: 40_120 })
      })
      expect(await ground.by('unknown').ask('as', 'POST', '/token/keep')).toMatchObject({ status: 401, code: 100412 })
    },
  },
  {
    id: 'CALL-097',
    service: 'as',
    method: 'POST',
    path: '/token/expire',
    does: 'tells in how many seconds the session of a data screen ends from now on',
    async holds(ground) {
      const screen = await loggedIn(ground)
      const asked = 1.5 * HOUR
      const { seconds } = await ground.after(asked, () => screen.done<{ seconds: number }>('as', 'POST', '/token/expire'))
      const end = asked + seconds * 1000
      expect(end).toBeGreaterThan(2 * HOUR)
      await ground.after(end - 60_000, () => screen.done(...PROFILE))
      expect(await ground.after(end + 60_000, () => screen.ask(...PROFILE))).toMatchObject({ status: 401, code: 40_120 })
    },
  },
  {
    id: 'CALL-004',
    service: 'as',
    method: 'GET',
    path: '/token/revoke',
    does: 'ends a session: neither of its tokens is good for anything afterwards',
    async holds(ground) {
      const user = await loggedIn(ground)
      await user.done(...PROFILE)
      await user.done('as', 'GET', '/token/revoke')
      expect(await user.ask(...PROFILE)).toMatchObject({ status: 401, code: 100412 })
      expect(await askToken(ground, { grant_type: 'refresh_token', refresh_token: user.refreshToken })).toMatchObject({ status: 400 })
    },
  },
  {
    id: 'CALL-006',
    service: 'as',
    method: 'GET',
    path: '/users/login/config',
    does: 'gives a public key, before a login, under which a password is taken',
    async holds(ground) {
      const { publicKey } = await ground.by(null).done('as', 'GET', '/users/login/config')
      expect(publicKey).toContain('BEGIN PUBLIC KEY')
      const { account } = await loggedIn(ground)
      expect((await login(ground, account, PASSWORD)).status).toBe(200)
      // The password in plain text.
      expect((await askToken(ground, { grant_type: 'password', username: account, password: PASSWORD })).status).toBe(400)
    },
  },
  {
    id: 'CALL-007',
    service: 'as',
    method: 'POST',
    path: '/users/password/expire',
    does: 'replaces an expired password, with which a login is refused by 902; by an easy one never',
    async holds(ground) {
      const { account, initialPassword } = await newUser(ground, { passwordValidity: '3m' })
      await chooseFirst(ground, account, initialPassword)
      await ground.after(100 * 24 * HOUR, async () => {
        expect(await login(ground, account, PASSWORD)).toMatchObject({ status: 400, code: 902 })
        const easy = await encrypted(ground, { oldPassword: PASSWORD, newPassword: 'turnstile', confirmPassword: 'turnstile' })
        expect(await ground.by(null).ask('as', 'POST', '/users/password/expire', { account, ...easy })).toMatchObject({ code: 100420 })
        await chooseFirst(ground, account, PASSWORD, 'Turnstile-8')
        expect((await login(ground, account, 'Turnstile-8')).status).toBe(200)
      })
    },
  },
]
