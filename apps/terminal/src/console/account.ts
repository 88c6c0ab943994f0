/**
 * The one account of the console: the one the server sets, else the name of the settings with the password chosen here, else
 * with one made at the first start and said once in the terminal's log.
 */
import { randomBytes, randomInt, scrypt, timingSafeEqual, createHash } from 'node:crypto'
import { promisify } from 'node:util'
import type { ConsolePassword } from '../store/console-password.ts'

const derive = promisify<string, Buffer, number, Buffer>(scrypt)
const KEY_BYTES = 32
const SALT_BYTES = 16
/** Without what is read one for the other. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 12

export interface Account {
  name(): string
  /** The account is the server's: it is not changed here. */
  fromServer(): boolean
  matches(name: string, password: string): Promise<boolean>
  /** Takes a password that has been judged before. */
  setPassword(password: string): Promise<void>
  /** Makes another password and says it in the log. */
  reset(): Promise<void>
}

export interface AccountOptions {
  password: ConsolePassword
  /** The name that is set. */
  setName: () => string
  /** The account the server sets; null where it sets none. */
  ofServer: () => { account: string; password: string } | null
  log: (sentence: string) => void
}

/** The account of a terminal; one without a password yet, or with one that others wrote, gets another. */
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
      `The terminal's console is at /console/. Its account is "${name()}", the password "${password}": it is said here only this once. Change it there.`,
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
    async matches(given, password) {
      const told = ofServer()
      // Both are always looked at: how long it takes tells nothing.
      const fits = told === null ? await isOwn(password) : same(password, told.password)
      return same(given, name()) && fits
    },
    setPassword,
    reset,
  }
}

const digest = (text: string) => createHash('sha256').update(text).digest()
const same = (one: string, other: string) => timingSafeEqual(digest(one), digest(other))
