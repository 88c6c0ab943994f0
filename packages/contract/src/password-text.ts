/** The text that is encrypted to send a password: the nonce of `login/config`, a line break and the password; or the password alone. */

/** Characters of a nonce. Valid passwords are shorter, so none can be taken for one with a nonce. */
export const NONCE_LENGTH = 52
/** Bytes of UTF-8 that RSA-2048 can encrypt with OAEP and SHA-256. */
export const CIPHER_TEXT_HOLDS = 190

const WITH_NONCE = new RegExp(`^([\\w-]{${NONCE_LENGTH}})\n([^]*)$`)

/**
 * Return the text to encrypt. Every valid password fits with the nonce. A longer one is sent without it, and one that does not fit at all
 * is cut to what fits, which is still too long: the server then refuses it with its own message.
 */
export function passwordText(nonce: string, password: string): string {
  const typed = password.toWellFormed()
  const text = `${nonce}\n${typed}`
  if (new TextEncoder().encode(text).length <= CIPHER_TEXT_HOLDS) return text
  const { read } = new TextEncoder().encodeInto(typed, new Uint8Array(CIPHER_TEXT_HOLDS))
  return typed.slice(0, read)
}

/** Return the parts of a decrypted text; the nonce is null if there is none. */
export function splitPasswordText(text: string): { nonce: string | null; password: string } {
  const [, nonce, password] = WITH_NONCE.exec(text) ?? []
  return nonce === undefined || password === undefined ? { nonce: null, password: text } : { nonce, password }
}
