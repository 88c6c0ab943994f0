/** Logging in and out, and changing the account. */
import { terminalSettingValues, consolePassword } from '@gatehouse/contract/configuration/settings'
import { z } from 'zod'
import type { Account } from './account.ts'
import { ConsoleRefusal } from './answers.ts'
import { fieldRefusal, read, type ConsoleCalls, type ConsoleRequest } from './call.ts'
import type { Sessions, Throttle } from './sessions.ts'
import type { LocalSettings } from '../settings/local-settings.ts'

const credentials = z.object({ account: z.string().max(100).default(''), password: z.string().max(100).default('') })
const change = z.object({
  account: terminalSettingValues.shape.consoleAccount.unwrap(),
  password: z.string().max(100).default(''),
  newPassword: consolePassword.or(z.literal('')).default(''),
})

export interface LoginParts {
  account: Account
  sessions: Sessions
  throttle: Throttle
  settings: Pick<LocalSettings, 'sources' | 'set'>
}

/** Check the password again before an action that cannot be undone. @throws ConsoleRefusal verificationFailed */
export type Verify = (request: ConsoleRequest, password: string) => Promise<void>

export function createVerify({ account, throttle }: Pick<LoginParts, 'account' | 'throttle'>): Verify {
  return async ({ address }, password) => {
    enter(throttle, address)
    if (!(await account.matches(account.name(), password)))
      throw new ConsoleRefusal('verificationFailed', { fields: [{ path: 'password', rule: 'wrongPassword' }] })
    throttle.right(address)
  }
}

export function loginCalls({ account, sessions, throttle, settings }: LoginParts): ConsoleCalls {
  const verify = createVerify({ account, throttle })
  return {
    'POST login': {
      open: true,
      async run(request) {
        const { account: name, password } = read(request, credentials)
        if (name.trim() === '') throw new ConsoleRefusal('userNameEmpty')
        if (password === '') throw new ConsoleRefusal('passwordEmpty')
        enter(throttle, request.address)
        if (!(await account.matches(name.trim(), password))) throw new ConsoleRefusal('wrongCredentials')
        throttle.right(request.address)
        request.remember(sessions.open())
      },
    },
    'POST logout': {
      open: true,
      whileUpgrading: true,
      run({ session, remember }) {
        if (session !== null) sessions.close(session)
        remember(null)
      },
    },
    'GET account': {
      run: () => ({
        account: account.name(),
        nameFromServer: settings.sources().consoleAccount === 'server',
        ofServer: account.fromServer(),
      }),
    },
    'PUT account': {
      async run(request) {
        const { account: name, password, newPassword } = read(request, change)
        if (account.fromServer()) throw fieldRefusal('newPassword', 'setByServer')
        if (name !== account.name() && settings.sources().consoleAccount === 'server') throw fieldRefusal('account', 'setByServer')
        await verify(request, password)
        if (newPassword !== '') await account.setPassword(newPassword)
        if (name !== account.name()) settings.set({ consoleAccount: name })
        sessions.closeOthers(request.session)
      },
    },
  }
}

/** Refuse a caller who has to wait, with the words for a wrong password and the seconds left. */
function enter(throttle: Throttle, address: string): void {
  const seconds = throttle.enter(address)
  if (seconds > 0) throw new ConsoleRefusal('wrongCredentials', { why: { key: 'tooManyTries', values: { seconds } } })
}
