/**
 * How a device and the server prove to each other that they know the secret of the device, which travels in neither
 * direction. The server speaks first, and vouches for the keys of the certificates it may be reached under: a device
 * that sees another key talks to somebody in between, and says nothing more. In words: docs/protocol/README.md,
 * "Signing in".
 */

export interface Handshake {
  code: string
  /** Random text of the device. */
  nonce: string
  /** What the server answered to it. */
  challenge: string
}

/** Text whose HMAC-SHA256 under the SHA-256 of the secret proves the server; both sides must agree on it to the letter. */
export const serverProofText = ({ code, nonce, challenge, keys }: Handshake & { keys: readonly string[] }): string =>
  `server/${code.toLowerCase()}/${nonce}/${challenge}/${keys.join(',')}`

/** The same of the device. */
export const deviceProofText = ({ code, nonce, challenge }: Handshake): string => `device/${code.toLowerCase()}/${nonce}/${challenge}`
