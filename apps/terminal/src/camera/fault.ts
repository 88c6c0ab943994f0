/** Why a camera sends no pictures, from what ffmpeg says of it. */

/**
 * `account`: it refuses the account or its password; `path`: it has no such stream; `port`: nothing listens there; `address`: it is not
 * reached; `format`: what it sends is no video that can be read; `silent`: it sends nothing; `ended`: it ended the connection.
 */
export type CameraFault = 'account' | 'path' | 'port' | 'address' | 'format' | 'silent' | 'ended'

/** In the order in which they are looked for: a later message of ffmpeg may follow from an earlier one. */
const MESSAGES: readonly (readonly [CameraFault, RegExp])[] = [
  ['account', /\b40[13]\b|unauthorized|forbidden/i],
  ['path', /\b404\b/],
  ['port', /connection refused/i],
  ['address', /failed to resolve|name or service not known|no route to host|unreachable|timed out/i],
  ['format', /matches no streams|could not find codec|decoder.*not found|unsupported|invalid data found|unknown format/i],
]

/** @param messages what ffmpeg wrote before it ended */
export const faultOf = (messages: string): CameraFault => MESSAGES.find(([, message]) => message.test(messages))?.[0] ?? 'ended'
