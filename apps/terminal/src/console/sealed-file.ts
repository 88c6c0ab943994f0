/**
 * A file that opens only with its password: a mark, the version of the content, salt, nonce, tag, then compressed and encrypted JSON
 * (scrypt, AES-256-GCM). It contains faces, so nothing of it is readable without the password.
 */
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { ConsoleRefusal } from './answers.ts'

const derive = promisify<string, Buffer, number, Buffer>(scrypt)
const [pack, unpack] = [promisify<Buffer, Buffer>(gzip), promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip)]
const ALGORITHM = 'aes-256-gcm'
const MARK = Buffer.from('GATEHOUSE-EXPORT')
const [SALT, NONCE, TAG] = [16, 12, 16]
/** Largest size in bytes of an unpacked file. */
const LARGEST = 1024 * 1_048_576

/** @param version of the content, 1 to 255 */
export async function sealFile(content: unknown, version: number, password: string): Promise<Uint8Array> {
  const [salt, nonce] = [randomBytes(SALT), randomBytes(NONCE)]
  const head = Buffer.concat([MARK, Buffer.from([version]), salt, nonce])
  const cipher = createCipheriv(ALGORITHM, await derive(password, salt, 32), nonce).setAAD(head)
  const hidden = Buffer.concat([cipher.update(await pack(Buffer.from(JSON.stringify(content)))), cipher.final()])
  return Buffer.concat([head, cipher.getAuthTag(), hidden])
}

/**
 * @throws ConsoleRefusal fileFormatWrong for another kind of file, databaseIncompatible for another version, verificationFailed for another
 *   password or a file that was changed, parseFailed for content that is not JSON
 */
export async function openFile(file: Uint8Array, version: number, password: string): Promise<unknown> {
  const bytes = Buffer.from(file)
  const headEnd = MARK.length + 1 + SALT + NONCE
  if (bytes.length < headEnd + TAG || !bytes.subarray(0, MARK.length).equals(MARK)) throw new ConsoleRefusal('fileFormatWrong')
  if (bytes[MARK.length] !== version) throw new ConsoleRefusal('databaseIncompatible')
  const salt = bytes.subarray(MARK.length + 1, MARK.length + 1 + SALT)
  const decipher = createDecipheriv(ALGORITHM, await derive(password, salt, 32), bytes.subarray(headEnd - NONCE, headEnd), {
    authTagLength: TAG,
  }).setAAD(bytes.subarray(0, headEnd))
  decipher.setAuthTag(bytes.subarray(headEnd, headEnd + TAG))
  const packed = opened()
  try {
    return JSON.parse((await unpack(packed, { maxOutputLength: LARGEST })).toString('utf8'))
  } catch {
    throw new ConsoleRefusal('parseFailed')
  }

  function opened(): Buffer {
    try {
      return Buffer.concat([decipher.update(bytes.subarray(headEnd + TAG)), decipher.final()])
    } catch {
      throw new ConsoleRefusal('verificationFailed', { fields: [{ path: 'password', rule: 'wrongFilePassword' }] })
    }
  }
}
