/** Keys and secrets of API users. */
import { createHash, randomBytes } from 'node:crypto'

/** Return the hash of a secret. 256 random bits need no slow hash, because they cannot be guessed. */
export const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
export const newSecret = (): string => randomBytes(32).toString('base64url')
export const newKey = (): string => randomBytes(12).toString('hex')
