/** Initial values of the account form, and the body it sends. */
import type { FieldIssue, InputOf } from '@gatehouse/contract'
import { passwordFault } from '@gatehouse/contract/account'
import type { User, userChange, userCreate } from '@gatehouse/contract/identity/users'
import { encryptPassword } from '../../../api/encrypt.ts'

/** How the initial password reaches its owner. */
export type Handing = 'shown' | 'mailed' | 'typed'
/** Fields of the bodies of both calls, and how the password is handed over, which only the form has. */
export type UserValues = Partial<InputOf<typeof userChange>> &
  Partial<Pick<InputOf<typeof userCreate>, 'account' | 'password'>> & { handing?: Handing }

export const newUser = (organisationId: string): UserValues => ({
  organisationId,
  roles: [],
  expiry: null,
  passwordValidity: 'forever',
  enablePageDataMasking: false,
  handing: 'shown',
})

export const userValuesOf = (user: User): UserValues => ({
  realName: user.realName,
  administratorName: user.administratorName,
  email: user.email,
  phone: user.phone,
  idCard: user.idCard,
  organisationId: user.organisationId,
  roles: user.roles,
  expiry: user.expiry,
  passwordValidity: user.passwordValidity,
  enablePageDataMasking: user.enablePageDataMasking,
})

/** Return the issues of the initial password: a weak one where it is typed, a missing address where it is mailed. */
export function handingIssues({ handing, password, email }: UserValues): FieldIssue[] {
  if (handing === 'mailed' && !email) return [{ path: 'email', rule: 'required' }]
  if (handing !== 'typed') return []
  if (!password) return [{ path: 'password', rule: 'required' }]
  return passwordFault(password) ? [{ path: 'password', rule: 'passwordPolicy' }] : []
}

/** Return the body of the call: the password encrypted, and the way it is handed over in the terms of the call. */
export async function userBody({ handing, password, ...body }: UserValues & Record<string, unknown>): Promise<Record<string, unknown>> {
  if (handing === 'typed' && password) return { ...body, password: await encryptPassword(password) }
  return { ...body, sendByEmail: handing === 'mailed' }
}
