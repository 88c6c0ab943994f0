/**
 * Handshake by which a device and the server prove to each other that they know the secret of the device, which is never transmitted. The
 * server proves first, and authenticates the keys of the certificates under which it can be reached: a device that sees another key is
 * connected to an attacker in between, and ends the handshake. In words: docs/protocol/README.md, "Signing in".
 */

export interface Handshake {
  code: string
  /** Random text of the device. */
  nonce: string
  /** Answer of the server to the nonce. */
  challenge: string
}

/** How the server can be reached, as the server states it. */
export interface Reached {
  /** Digests of the keys of its certificates. */
  keys: readonly string[]
  /** It accepts no requests over plain http: a device that receives this over plain http is connected to an attacker in between. */
  tlsOnly: boolean
}

/** Return the text whose HMAC-SHA256 under the SHA-256 of the secret proves the server; both sides must build exactly the same text. */
export const serverProofText = ({ code, nonce, challenge, keys, tlsOnly }: Handshake & Reached): string =>
  `server/${code.toLowerCase()}/${nonce}/${challenge}/${keys.join(',')}/${tlsOnly ? 'tls' : 'any'}`

/** Return the text that proves the device. */
export const deviceProofText = ({ code, nonce, challenge }: Handshake): string => `device/${code.toLowerCase()}/${nonce}/${challenge}`
