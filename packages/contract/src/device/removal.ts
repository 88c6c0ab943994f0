/** How a device and the server prove their identity to each other after the device was deleted. */

/**
 * `asked`: the device asks whether it was removed; `done`: it has deleted everything; `removed`: the server confirms that it was removed.
 */
export type RemovalSaid = 'asked' | 'done' | 'removed'

/**
 * Return the text whose HMAC-SHA256 under the SHA-256 of the secret is the proof, as base64url; both sides must build exactly the same
 * text.
 */
export const removalText = (step: RemovalSaid, code: string, nonce: string, deviceId = ''): string =>
  `${step}/${code.toLowerCase()}/${nonce}/${deviceId}`
