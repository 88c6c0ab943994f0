/** Opens the cipher texts in which passwords travel, each only once: an intercepted cipher text is worthless. */
import { constants, createHash, privateDecrypt } from 'node:crypto'
import { splitPasswordText } from '@gatehouse/contract/password-text'
import type { Platform } from '../../platform/context.ts'
import { SpentCipherText } from '../../platform/http/refusal.ts'
import type { LoginKey, LoginKeys } from './login-key.ts'
import type { Nonces } from './login-nonce.ts'

export interface CipherTexts {
  /**
   * Return the passwords of one request by the name of their field; null for a value that is no cipher text. A cipher text may stand in
   * several fields of the request, and in no other request.
   *
   * @throws SpentCipherText where a cipher text was opened before, or where its nonce or key has expired
   */
  open<Name extends string>(cipherTexts: Record<Name, string>): Promise<Record<Name, string | null>>
}

/** Bytes of a cipher text under RSA-2048. */
const LENGTH = 256

interface Opened {
  password: string
  hash: Buffer
  keyNumber: number
}

function decrypted({ privateKey: key }: LoginKey, bytes: Buffer): string | null {
  try {
    return privateDecrypt({ key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }, bytes).toString('utf8')
  } catch {
    return null
  }
}

export function createCipherTexts({ db }: Pick<Platform, 'db'>, keys: LoginKeys, nonces: Nonces): CipherTexts {
  async function textIn(bytes: Buffer): Promise<{ text: string; keyNumber: number } | null> {
    const tried = new Set<number>()
    for (const reread of [false, true])
      for (const key of await keys.opening(reread)) {
        if (tried.has(key.number)) continue
        tried.add(key.number)
        const text = decrypted(key, bytes)
        if (text !== null) return { text, keyNumber: key.number }
      }
    return null
  }

  async function opened(cipherText: string): Promise<Opened | 'unreadable' | 'expired'> {
    const sent = Buffer.from(cipherText, 'base64')
    if (sent.length === 0 || sent.length > LENGTH) return 'unreadable'
    // A cipher text is one number, however its base64 or its leading zeros are written.
    const bytes = Buffer.concat([Buffer.alloc(LENGTH - sent.length), sent])
    const found = await textIn(bytes)
    // It has the length of a cipher text: most likely its key was deleted.
    if (found === null) return sent.length === LENGTH ? 'expired' : 'unreadable'
    const { nonce, password } = splitPasswordText(found.text)
    if (nonce !== null && !nonces.holds(nonce)) return 'expired'
    return { password, hash: createHash('sha256').update(bytes).digest(), keyNumber: found.keyNumber }
  }

  /** Record these cipher texts as opened. @returns hexadecimal hashes of those not opened before; null where a key was deleted */
  async function claim(all: readonly Opened[]): Promise<ReadonlySet<string> | null> {
    const distinct = new Map(all.map((one) => [one.hash.toString('hex'), { hash: one.hash, keyNumber: one.keyNumber }]))
    // In a fixed order, so that two requests with the same cipher texts do not deadlock.
    const rows = [...distinct].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
    try {
      const claimed = await db
        .insertInto('usedCipherText')
        .values(rows)
        .onConflict((conflict) => conflict.column('hash').doNothing())
        .returning('hash')
        .execute()
      return new Set(claimed.map(({ hash }) => hash.toString('hex')))
    } catch (error) {
      // Another node has deleted the key meanwhile.
      if ((error as { code?: string }).code === '23503') return null
      throw error
    }
  }

  return {
    async open<Name extends string>(cipherTexts: Record<Name, string>) {
      const fields: [Name, Opened | 'unreadable' | 'expired'][] = []
      for (const [name, cipherText] of Object.entries<string>(cipherTexts)) fields.push([name as Name, await opened(cipherText)])
      const expired = fields.filter(([, found]) => found === 'expired').map(([path]) => ({ path, rule: 'cipherTextExpired' as const }))
      if (expired.length > 0) throw new SpentCipherText(expired)
      const readable = fields.filter((field): field is [Name, Opened] => typeof field[1] === 'object')
      if (readable.length > 0) {
        const claimed = await claim(readable.map(([, found]) => found))
        if (claimed === null) throw new SpentCipherText(readable.map(([path]) => ({ path, rule: 'cipherTextExpired' })))
        const used = readable.filter(([, { hash }]) => !claimed.has(hash.toString('hex')))
        if (used.length > 0) throw new SpentCipherText(used.map(([path]) => ({ path, rule: 'cipherTextUsed' })))
      }
      return Object.fromEntries(fields.map(([name, found]) => [name, typeof found === 'string' ? null : found.password])) as Record<
        Name,
        string | null
      >
    },
  }
}
