/** What users do with their own account (M02): profile, password, codes by e-mail and text message. */
import { expect } from 'vitest'
import { codeSentTo } from '../accounts.ts'
import { until } from '../until.ts'
import { encrypted, loggedIn, login, newName, PASSWORD } from './accounts.ts'
import { bears, type Ground, type Json, type SpecifiedCall } from './specified.ts'

const PROFILE = ['as', 'GET', '/users/profile'] as const
const DAY = 86_400_000

const newEmail = (): string => `${newName()}@example.org`
let phones = 0
const newPhone = (): string => `1390000${String(++phones).padStart(4, '0')}`

/** Return the code that was just sent, as an administrator reads it where nothing delivers it. */
const codeFor = ({ world }: Ground, to: string): Promise<string> => until('the code', () => codeSentTo(world, to))
const otherThan = (code: string): string => (code === '000000' ? '000001' : '000000')

/** Create a user who has requested a code by e-mail. */
async function forgetful(ground: Ground): Promise<{ account: string; code: string }> {
  const email = newEmail()
  const { account } = await loggedIn(ground, { email })
  await ground.by(null).done('as', 'GET', `/users/send/email?account=${account}`)
  return { account, code: await codeFor(ground, email) }
}
async function ticketOf(ground: Ground): Promise<{ account: string; ticket: unknown }> {
  const { account, code } = await forgetful(ground)
  const { ticket } = await ground.by(null).done('as', 'POST', '/users/forget/passwd', { account, code })
  return { account, ticket }
}

export const ownAccountCalls: readonly SpecifiedCall[] = [
  {
    id: 'CALL-005',
    service: 'as',
    method: 'GET',
    path: '/users/profile',
    does: 'tells who one is, by the ten names of the specification',
    async holds(ground) {
      const email = newEmail()
      const user = await loggedIn(ground, { email, phone: '+86*1#2', idCard: '110101199003078515', enablePageDataMasking: false })
      const profile = await user.done(...PROFILE)
      bears(profile, 'Profile')
      expect(profile).toMatchObject({
        id: user.id,
        username: user.account,
        email,
        realName: 'Ada Lovelace',
        idCard: '110101199003078515',
        telephone: '+86*1#2',
        roleName: `Role of ${user.account}`,
        parkAreaName: ground.park.park.name,
        enablePageDataMasking: false,
      })
      expect(profile['roles']).toEqual([expect.objectContaining({ id: user.roleId, roleSign: 'other' })])
      await ground.done('as', 'PUT', '/users', { id: user.id, enablePageDataMasking: true })
      const masked = await user.done(...PROFILE)
      expect(masked).toMatchObject({
        enablePageDataMasking: true,
        email: expect.stringContaining('*'),
        idCard: expect.stringContaining('*'),
      })
      expect(await ground.by(null).ask(...PROFILE)).toMatchObject({ status: 401, code: 100412 })
    },
  },
  {
    id: 'CALL-011',
    service: 'as',
    method: 'PUT',
    path: '/users/update/personal',
    does: 'saves the four fields of one’s own; refuses an e-mail address that is taken',
    async holds(ground) {
      const user = await loggedIn(ground)
      await user.done('as', 'POST', '/users/confirmation', await encrypted(ground, { password: PASSWORD }))
      const [email, own] = [newEmail(), { realName: 'Grace Hopper', idCard: '110101199003078515', telephone: '*86#1' }]
      await user.done('as', 'PUT', '/users/update/personal', { email, ...own })
      expect(await user.done(...PROFILE)).toMatchObject({ email, ...own })
      const taken = newEmail()
      await loggedIn(ground, { email: taken })
      expect(await user.ask('as', 'PUT', '/users/update/personal', { ...own, email: taken })).toMatchObject({ code: 100112 })
      expect(await user.ask('as', 'PUT', '/users/update/personal', { ...own, email, telephone: 'call me' })).toMatchObject({ code: 900114 })
      expect(await user.done(...PROFILE)).toMatchObject({ email, ...own })
    },
  },
  {
    id: 'CALL-013',
    service: 'as',
    method: 'GET',
    path: '/users/check/email',
    does: 'tells whether an e-mail address is free, for others than who has it',
    async holds(ground) {
      const email = newEmail()
      const user = await loggedIn(ground, { email })
      const check = async (query: Record<string, string>): Promise<Json> =>
        ground.done('as', 'GET', `/users/check/email?${new URLSearchParams(query).toString()}`)
      expect(await check({ email: newEmail() })).toEqual({ available: true })
      expect(await check({ email })).toEqual({ available: false })
      expect(await check({ email: email.toUpperCase() })).toEqual({ available: false })
      expect(await check({ email, userId: user.id })).toEqual({ available: true })
    },
  },
  {
    id: 'CALL-021',
    service: 'as',
    method: 'POST',
    path: '/users/passwd',
    does: 'changes one’s own password and ends the session; refuses a wrong old one, the same again, and an easy one',
    async holds(ground) {
      const user = await loggedIn(ground)
      const change = async (oldPassword: string, newPassword: string) =>
        user.ask('as', 'POST', '/users/passwd', await encrypted(ground, { oldPassword, newPassword, confirmPassword: newPassword }))
      expect(await change('Turnstile-6', 'Turnstile-9')).toMatchObject({ code: 100406 })
      expect(await change(PASSWORD, PASSWORD)).toMatchObject({ code: 100419 })
      expect(await change(PASSWORD, 'Aa1--1aA')).toMatchObject({ code: 100420 })
      expect(await change(PASSWORD, 'Turnstile-9')).toMatchObject({ status: 200, code: 0 })
      expect(await user.ask(...PROFILE)).toMatchObject({ status: 401, code: 100412 })
      expect(await login(ground, user.account, PASSWORD)).toMatchObject({ status: 400, code: 100401 })
      expect((await login(ground, user.account, 'Turnstile-9')).status).toBe(200)
    },
  },
  {
    id: 'CALL-009',
    service: 'as',
    method: 'GET',
    path: '/users/send/email',
    does: 'sends a code to the address of an account, at most ten a day',
    async holds(ground) {
      const email = newEmail()
      const { account } = await loggedIn(ground, { email })
      const send = () => ground.by(null).ask('as', 'GET', `/users/send/email?account=${account}`)
      expect(await codeSentTo(ground.world, email)).toBeUndefined()
      expect((await send()).code).toBe(0)
      expect(await codeFor(ground, email)).toMatch(/^\d{6}$/)
      const codes = []
      for (let more = 0; more < 10; more++) codes.push((await send()).code)
      expect(codes).toEqual([...Array.from({ length: 9 }, () => 0), 100113])
      expect((await ground.after(DAY, send)).code).toBe(0)
    },
  },
  {
    id: 'CALL-008',
    service: 'as',
    method: 'POST',
    path: '/users/forget/passwd',
    does: 'takes the code of who forgot a password, once, and no other',
    async holds(ground) {
      const { account, code } = await forgetful(ground)
      const check = (tried: string) => ground.by(null).ask('as', 'POST', '/users/forget/passwd', { account, code: tried })
      expect(await check(otherThan(code))).toMatchObject({ code: 100115 })
      expect(await check(code)).toMatchObject({ status: 200, code: 0, data: { ticket: expect.any(String) } })
      expect(await check(code)).toMatchObject({ code: 100115 })
    },
  },
  {
    id: 'CALL-010',
    service: 'as',
    method: 'PUT',
    path: '/users/reset/password',
    does: 'sets another password, with which the login goes on; by what a code was exchanged for, once',
    async holds(ground) {
      const { account, ticket } = await ticketOf(ground)
      const reset = async (newPassword: string, by = ticket) =>
        ground.by(null).ask('as', 'PUT', '/users/reset/password', {
          ticket: by,
          ...(await encrypted(ground, { newPassword, confirmPassword: newPassword })),
        })
      expect(await reset('Turnstile-9', 'guessed')).toMatchObject({ code: 100115 })
      expect(await reset('turnstile')).toMatchObject({ code: 100420 })
      expect(await reset('Turnstile-9')).toMatchObject({ status: 200, code: 0 })
      expect(await login(ground, account, PASSWORD)).toMatchObject({ status: 400, code: 100401 })
      expect((await login(ground, account, 'Turnstile-9')).status).toBe(200)
      expect(await reset('Turnstile-10')).toMatchObject({ code: 100115 })
    },
  },
  {
    id: 'CALL-055',
    service: 'biz',
    method: 'GET',
    path: '/phone/getCode',
    does: 'sends a code to a phone, at most ten a day; to what is no number none',
    async holds(ground) {
      const [user, phone] = [await loggedIn(ground), newPhone()]
      expect(await user.ask('biz', 'GET', '/phone/getCode?phone=call')).toMatchObject({ code: 900114 })
      await user.done('biz', 'GET', `/phone/getCode?phone=${phone}`)
      expect(await codeFor(ground, phone)).toMatch(/^\d{6}$/)
      const codes = []
      for (let more = 0; more < 10; more++) codes.push((await user.ask('biz', 'GET', `/phone/getCode?phone=${newPhone()}`)).code)
      expect(codes).toEqual([...Array.from({ length: 9 }, () => 0), 100113])
    },
  },
  {
    id: 'CALL-056',
    service: 'biz',
    method: 'POST',
    path: '/phone/checkCode',
    does: 'takes the code that was sent to the phone; a wrong one is 100115, the eleventh try of a day 100114',
    async holds(ground) {
      const [user, phone] = [await loggedIn(ground), newPhone()]
      await user.done('biz', 'GET', `/phone/getCode?phone=${phone}`)
      const code = await codeFor(ground, phone)
      const check = (tried: string) => user.ask('biz', 'POST', '/phone/checkCode', { phone, code: tried })
      expect(await check(otherThan(code))).toMatchObject({ code: 100115 })
      expect(await check(code)).toMatchObject({ status: 200, code: 0, data: { verified: true } })
      const codes = []
      for (let more = 0; more < 9; more++) codes.push((await check(code)).code)
      expect(codes).toEqual([...Array.from({ length: 8 }, () => 100115), 100114])
    },
  },
]
