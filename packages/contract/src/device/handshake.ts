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

/** What the server says of how it is reached. */
export interface Reached {
  /** Digests of the keys of its certificates. */
  keys: readonly string[]
  /** It takes nothing over plain http: a device that hears this over plain http talks to somebody in between. */
  tlsOnly: boolean
}

/** Text whose HMAC-SHA256 under the SHA-256 of the secret proves the server; both sides must agree on it to the letter. */
export const serverProofText = ({ code, nonce, challenge, keys, tlsOnly }: Handshake & Reached): string =>
  `server/${code.toLowerCase()}/${nonce}/${challenge}/${keys.join(',')}/${tlsOnly ? 'tls' : 'any'}`

/** The same of the device. */
export const deviceProofText = ({ code, nonce, challenge }: Handshake): string => `device/${code.toLowerCase()}/${nonce}/${challenge}`
