/**
 * The one account of the console: that of the server if it sets one; otherwise the name in the settings with the password chosen here, or
 * with one generated at the first start and written once to the terminal's log.
 */
import { randomBytes, randomInt, scrypt, timingSafeEqual, createHash } from 'node:crypto'
import { promisify } from 'node:util'
import type { ConsolePassword } from '../store/console-password.ts'

const derive = promisify<string, Buffer, number, Buffer>(scrypt)
const KEY_BYTES = 32
const SALT_BYTES = 16
/** Without letters and digits that are easily confused. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 12

export interface Account {
  name(): string
  /** Return whether the server sets the account; it cannot be changed here then. */
  fromServer(): boolean
  matches(name: string, password: string): Promise<boolean>
  /** Set a password that has been validated. */
  setPassword(password: string): Promise<void>
  /** Make another password and write it to the log. */
  reset(): Promise<void>
}

export interface AccountOptions {
  password: ConsolePassword
  /** The account name of the settings. */
  setName: () => string
  /** The account the server sets; null where it sets none. */
  ofServer: () => { account: string; password: string } | null
  log: (sentence: string) => void
}

/** Open the account of a terminal. A new password is generated if there is none yet, or if it was changed in the file. */
export async function openAccount({ password: kept, setName, ofServer, log }: AccountOptions): Promise<Account> {
  const name = () => ofServer()?.account ?? setName()

  async function setPassword(password: string): Promise<void> {
    const salt = randomBytes(SALT_BYTES)
    const key = await derive(password, salt, KEY_BYTES)
    kept.keep(`${salt.toString('base64')}.${key.toString('base64')}`)
  }

  async function reset(): Promise<void> {
    const password = Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
    await setPassword(password)
    log(
      `The terminal's console is at /console/. Its account is "${name()}", the password "${password}": ` +
        'it is said here only this once. Change it there.',
    )
  }

  async function isOwn(password: string): Promise<boolean> {
    const [salt = '', key = ''] = (kept.read() ?? '').split('.')
    const expected = Buffer.from(key, 'base64')
    const derived = await derive(password, Buffer.from(salt, 'base64'), KEY_BYTES)
    return expected.length === derived.length && timingSafeEqual(derived, expected)
  }

  if (kept.read() === null) await reset()

  return {
    name,
    fromServer: () => ofServer() !== null,
    async matches(accountName, password) {
      const serverAccount = ofServer()
      // The name and the password are always both compared, so that the time taken reveals nothing.
      const fits = serverAccount === null ? await isOwn(password) : same(password, serverAccount.password)
      return same(accountName, name()) && fits
    },
    setPassword,
    reset,
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()
const same = (one: string, other: string) => timingSafeEqual(digest(one), digest(other))
