/** Says while a form is filled in that a user name or an e-mail address belongs to somebody else. */
import { useRef } from 'react'
import type { FieldIssue } from '@gatehouse/contract'
import { userCalls } from '@gatehouse/contract/identity/users'
import { request } from '../../../api/request.ts'
import type { UserValues } from './userValues.ts'

export interface Taken {
  /** Asks the server; true where the value is another's. Nothing is said where it cannot be asked: saving will tell. */
  checkAccount: (account: string) => Promise<boolean>
  checkEmail: (email: string) => Promise<boolean>
  /** For the form's own rules: what is known to be taken. */
  issues: (values: UserValues) => FieldIssue[]
}

/** @param userId whose own address it may be */
export function useTaken(userId?: string): Taken {
  const known = useRef({ account: '', email: '' })
  const remember = async (field: 'account' | 'email', value: string, asked: Promise<{ available: boolean }>): Promise<boolean> => {
    const taken = await asked.then(
      ({ available }) => !available,
      () => false,
    )
    known.current[field] = taken ? value : ''
    return taken
  }
  return {
    checkAccount: (account) =>
      remember('account', account, request(userCalls.checkUsername, { query: { username: account } }, { errors: 'silent' })),
    checkEmail: (email) =>
      remember('email', email, request(userCalls.checkEmail, { query: { email, ...(userId && { userId }) } }, { errors: 'silent' })),
    issues: ({ account, email }) => [
      ...(account && account === known.current.account ? [{ path: 'account', rule: 'accountTaken' }] : []),
      ...(email && email === known.current.email ? [{ path: 'email', rule: 'emailTaken' }] : []),
    ],
  }
}
