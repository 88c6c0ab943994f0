/**
 * Seals what is biometric, secret or a name before it reaches the disk: AES-256-GCM under a key in a file of its own, readable by its
 * owner only. A stolen disk with the store alone shows no faces, names or passwords; with the key beside the store it shows all.
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
   * @param bound what the bytes belong to, such as a person's id: sealed bytes moved elsewhere do not open
   * @returns nonce, tag and cipher text in one
   */
  seal(bytes: Uint8Array, bound: string): Uint8Array
  /** @throws Error when the bytes were changed, moved or sealed under another key */
  open(sealed: Uint8Array, bound: string): Uint8Array
  /** 16 bytes by which a text is found again, and which say nothing about it without the key. */
  digest(text: string): Uint8Array
  /**
   * 32 bytes that only this key makes of these values in this order: what stands in the clear and was changed by others no longer fits.
   * Texts and numbers, empty and null, are told apart.
   */
  mac(bound: string, values: Iterable<MacValue>): Uint8Array
  /** Whether these are the values a mac was made of. @param mac whatever stands in its place */
  isMacOf(mac: unknown, bound: string, values: Iterable<MacValue>): boolean
}

/** A column as SQLite gives it. */
export type MacValue = string | number | Uint8Array | null

/** Where the key of a data folder lies. */
export interface KeyPlace {
  /** In the folder unless told. */
  keyFile?: string | undefined
  /** Where it lay last, in place of the folder; null where nothing was sealed yet, or it lay there. */
  keyFileBefore?: string | null
  /** Something was sealed with it already. */
  isInUse?: boolean
}

/**
 * Opens the vault of a data folder. The first time its key is made; one that lies in the folder is moved to a place that is told.
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
      // Kind and length before each: no value runs over into the next.
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

/** What nonce, tag and cipher text in one hold. @throws Error when they were changed, are bound to something else or sealed under another key */
export function opened(key: Uint8Array, sealed: Uint8Array, bound: string): Buffer {
  const decipher = createDecipheriv(ALGORITHM, key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES }).setAAD(
    Buffer.from(bound),
  )
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
}

/**
 * Templates sealed under a key that a power cut lost would be gone: the key is on the disk before its first use.
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

/** The key is at its new place before it is written over at the old one. */
function moveDurably(from: string, to: string): void {
  writeDurably(to, readFileSync(from))
  const handle = openSync(from, 'r+')
  writeSync(handle, randomBytes(KEY_BYTES))
  fsyncSync(handle)
  closeSync(handle)
  rmSync(from)
}
