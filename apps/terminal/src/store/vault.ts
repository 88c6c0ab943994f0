/**
 * Seals what is biometric or secret before it reaches the disk: AES-256-GCM under a key that lies beside the store, readable
 * by its owner only. A stolen card with the store alone shows no faces, and no passwords.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { StoreUnusable } from '../device/store.ts'

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const DIGEST_BYTES = 16

export interface Vault {
  /**
   * @param bound what the bytes belong to, such as a person's id: sealed bytes moved elsewhere do not open
   * @returns nonce, tag and cipher text in one
   */
  seal(bytes: Uint8Array, bound: string): Uint8Array
  /** @throws Error when the bytes were changed, moved or sealed under another key */
  open(sealed: Uint8Array, bound: string): Uint8Array
  /** 16 bytes by which a text is found again, and which say nothing about it without the key. */
  digest(text: string): Uint8Array
}

/**
 * Opens the vault of a data folder; the first time its key is made.
 * @throws StoreUnusable when the key file is not a key
 */
export function openVault(folder: string): Vault {
  const file = join(folder, 'key')
  if (!existsSync(file)) writeDurably(file, randomBytes(KEY_BYTES))
  const key = readFileSync(file)
  if (key.length !== KEY_BYTES)
    throw new StoreUnusable(
      `${file} is no key of this terminal: it has ${key.length} bytes instead of ${KEY_BYTES}. Remove it: persons are then fetched again.`,
    )
  chmodSync(file, 0o600)
  const digestKey = new Uint8Array(hkdfSync('sha256', key, '', 'digest', KEY_BYTES))

  return {
    seal(bytes, bound) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(bound))
      const hidden = Buffer.concat([cipher.update(bytes), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), hidden])
    },
    open: (sealed, bound) => opened(key, sealed, bound),
    digest: (text) => createHmac('sha256', digestKey).update(text).digest().subarray(0, DIGEST_BYTES),
  }
}

/** What nonce, tag and cipher text in one hold. @throws Error when they were changed, are bound to something else or sealed under another key */
export function opened(key: Uint8Array, sealed: Uint8Array, bound: string): Buffer {
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES }).setAAD(
    Buffer.from(bound),
  )
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
}

/** Templates sealed under a key that a power cut lost would be gone: the key is on the disk before its first use. */
function writeDurably(file: string, bytes: Uint8Array): void {
  const draft = `${file}.new`
  const handle = openSync(draft, 'w', 0o600)
  writeSync(handle, bytes)
  fsyncSync(handle)
  closeSync(handle)
  renameSync(draft, file)
}
