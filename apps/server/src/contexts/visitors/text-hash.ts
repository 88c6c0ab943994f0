/** Fingerprints of texts that visitors agree to. */
import { createHash } from 'node:crypto'

/** Return the SHA-256 of a text in UTF-8, in hexadecimal digits. */
export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Return the fingerprint of a document: of its title, an empty line and its text. */
export const documentHash = ({ title, text }: { title: string; text: string }): string => sha256Of(`${title}\n\n${text}`)
