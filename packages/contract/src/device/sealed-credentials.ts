/** Constants of sealed credentials, for both sides; in words: docs/protocol/README.md, "Sealed credentials". */

/** Purpose of an agreed key, to which everything sealed under the key is bound. */
export const CREDENTIALS_PURPOSE = 'gatehouse credentials 1'
/** Bytes of an X25519 public key, and of the key that is agreed by it. */
export const CREDENTIALS_KEY_BYTES = 32
