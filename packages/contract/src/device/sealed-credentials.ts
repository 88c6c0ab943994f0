/** What both sides of sealed credentials go by; in words: docs/protocol/README.md, "Sealed credentials". */

/** Names what a key is agreed for, and binds what is sealed under it to that. */
export const CREDENTIALS_PURPOSE = 'gatehouse credentials 1'
/** Bytes of a public key of X25519, and of the key that is agreed by it. */
export const CREDENTIALS_KEY_BYTES = 32
