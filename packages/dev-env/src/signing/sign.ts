/** How a package is signed: Ed25519 over the bytes of its manifest, which names every other file with its SHA-256. */
import { sign, type KeyObject } from 'node:crypto'

/** Return the content of `manifest.sig`. */
export const signatureFile = (manifest: Uint8Array, key: KeyObject): string => `${sign(null, manifest, key).toString('base64')}\n`

/** Return a public key as installations of the terminal receive it. */
export const publicPem = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString()
