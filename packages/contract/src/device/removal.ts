/** How a device and the server prove to each other who they are, once the device is in no register any more. */

/** `asked`: the device asks whether it was removed; `done`: it has let go of everything; `removed`: the server says so. */
export type RemovalSaid = 'asked' | 'done' | 'removed'

/** Text whose HMAC-SHA256 under the SHA-256 of the secret is the proof, as base64url; both sides must agree on it to the letter. */
export const removalText = (step: RemovalSaid, code: string, nonce: string, deviceId = ''): string =>
  `${step}/${code.toLowerCase()}/${nonce}/${deviceId}`
