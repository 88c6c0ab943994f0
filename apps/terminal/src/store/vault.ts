/**
 * Sealing of biometric data, secrets and names before they reach the disk: AES-256-GCM under a key in a file of its own, readable by its
 * owner only. A stolen disk with the store alone reveals no faces, names or passwords; with the key beside the store it reveals all.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'
import { chmodSync, closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StoreUnusable } from '../device/store.ts'

const ALGORITHM = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const DIGEST_BYTES = 16

export interface Vault {
  /**
   * @param bound what the bytes belong to, such as a person's id: they do not open under any other value
   * @returns nonce, tag and cipher text in one
   */
  seal(bytes: Uint8Array, bound: string): Uint8Array
  /** @throws Error when the bytes were changed, moved or sealed under another key */
  open(sealed: Uint8Array, bound: string): Uint8Array
  /** Return 16 bytes by which a text is found again, and which reveal nothing about it without the key. */
  digest(text: string): Uint8Array
  /**
   * Return 32 bytes that only this key makes of these values in this order, so that changes to values in clear are detected. Texts and
   * numbers, empty and null, are distinguished.
   */
  mac(bound: string, values: Iterable<MacValue>): Uint8Array
  /** Return whether a mac was made of these values. @param mac any stored value */
  isMacOf(mac: unknown, bound: string, values: Iterable<MacValue>): boolean
}

/** A column value as SQLite returns it. */
export type MacValue = string | number | Uint8Array | null

/** Location of the key of a data folder. */
export interface KeyPlace {
  /** Default: in the folder. */
  keyFile?: string | undefined
  /** Its previous location, if not the folder; null if nothing was sealed yet, or it was in the folder. */
  keyFileBefore?: string | null
  /** Something has already been sealed with it. */
  isInUse?: boolean
}

/**
 * Open the vault of a data folder. The key is generated the first time; one in the folder is moved to the location the options name.
 * @throws StoreUnusable when the key file is missing or not a key
 */
export function openVault(folder: string, { keyFile, keyFileBefore = null, isInUse = false }: KeyPlace = {}): Vault {
  const beside = join(folder, 'key')
  const file = keyFile === undefined ? beside : resolve(keyFile)
  if (!existsSync(file)) {
    if (keyFile !== undefined && existsSync(beside)) moveDurably(beside, file)
    else if (keyFile !== undefined && isInUse) {
      throw new StoreUnusable(`${file} is missing, and what ${folder} holds opens with that key only. Is its medium in place?`)
    } else if (keyFileBefore !== null) {
      throw new StoreUnusable(`The key of ${folder} lies in ${keyFileBefore}: start the terminal with --data-key-file ${keyFileBefore}.`)
    } else writeDurably(file, randomBytes(KEY_BYTES))
  }
  const key = readFileSync(file)
  if (key.length !== KEY_BYTES)
    throw new StoreUnusable(
      `${file} is no key of this terminal: it has ${key.length} bytes instead of ${KEY_BYTES}. Remove it: persons are then fetched again.`,
    )
  chmodSync(file, 0o600)
  const digestKey = new Uint8Array(hkdfSync('sha256', key, '', 'digest', KEY_BYTES))
  const macKey = new Uint8Array(hkdfSync('sha256', key, '', 'mac', KEY_BYTES))

  function macOf(bound: string, values: Iterable<MacValue>): Buffer {
    const mac = createHmac('sha256', macKey)
    for (const value of [bound, ...values]) {
      const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value))
      // Preceded by kind and length, so that no value runs over into the next.
      mac.update(`${kindOf(value)}${bytes.length}:`).update(bytes)
    }
    return mac.digest()
  }

  return {
    seal(bytes, bound) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(bound))
      const hidden = Buffer.concat([cipher.update(bytes), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), hidden])
    },
    open: (sealed, bound) => opened(key, sealed, bound),
    digest: (text) => createHmac('sha256', digestKey).update(text).digest().subarray(0, DIGEST_BYTES),
    mac: macOf,
    isMacOf(mac, bound, values) {
      const expected = macOf(bound, values)
      return mac instanceof Uint8Array && mac.length === expected.length && timingSafeEqual(expected, mac)
    },
  }
}

const kindOf = (value: MacValue): string =>
  value === null ? 'n' : value instanceof Uint8Array ? 'b' : typeof value === 'string' ? 't' : 'd'

/**
 * Decrypt nonce, tag and cipher text in one.
 * @throws Error when they were changed, are bound to something else or sealed under another key
 */
export function opened(key: Uint8Array, sealed: Uint8Array, bound: string): Buffer {
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES }).setAAD(
    Buffer.from(bound),
  )
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
}

/**
 * Write a key so that it is on the disk before its first use: templates sealed under a key lost in a power failure would be lost too.
 * @throws StoreUnusable when it cannot be written
 */
function writeDurably(file: string, bytes: Uint8Array): void {
  const draft = `${file}.new`
  try {
    const handle = openSync(draft, 'w', 0o600)
    writeSync(handle, bytes)
    fsyncSync(handle)
    closeSync(handle)
    renameSync(draft, file)
  } catch (error) {
    throw new StoreUnusable(`The key cannot be written to ${file}: ${(error as Error).message}`)
  }
}

/** Move a key; it is on the disk at its new place before it is overwritten at the old one. */
function moveDurably(from: string, to: string): void {
  writeDurably(to, readFileSync(from))
  const handle = openSync(from, 'r+')
  writeSync(handle, randomBytes(KEY_BYTES))
  fsyncSync(handle)
  closeSync(handle)
  rmSync(from)
}
