/** Signed addresses of files, which only authorised answers contain, and which are valid for minutes only. */
import type { Crypto } from '../encryption/crypto.ts'
import { sameSecret } from '../encryption/same-secret.ts'
import type { Clock } from '../time/clock.ts'
import type { Variant } from './variants.ts'

const WINDOW_MS = 15 * 60_000
/** A signed address, as `addressUntil` builds it. */
const ADDRESS = /^\/files\/([0-9a-f-]{36})\/(\w+)\?e=(\d+)&s=([\w-]+)$/
/** About 20 MB. */
const ADDRESSES_MAX = 50_000

/** The parts of an address as a client presents them. */
interface SignedParts {
  fileId: string
  variant: string
  expires: string
  signature: string
}

export interface SignedAddresses {
  /** Return the address of a file, the same for a quarter of an hour so that the browser's cache works. */
  address(parkId: string, fileId: string, variant: Variant): string
  /** Return whether a signature is that of the park's file; its expiry is not checked. */
  isSigned(parkId: string, parts: SignedParts): boolean
}

/** Parse an address; null for any other text. The signature is not checked. */
export function partsOfAddress(text: string): SignedParts | null {
  const [, fileId, variant, expires, signature] = ADDRESS.exec(text) ?? []
  return fileId === undefined ? null : { fileId, variant: variant!, expires: expires!, signature: signature! }
}

export function createSignedAddresses(crypto: Pick<Crypto, 'sign'>, clock: Clock): SignedAddresses {
  /** Addresses of the present window: otherwise each page of a list would sign the same forty again and again. */
  let signed = { expires: 0, addresses: new Map<string, string>() }

  const signatureOf = (parkId: string, fileId: string, variant: string, expires: string): string =>
    crypto.sign(`${fileId}|${variant}|${parkId}|${expires}`)

  const addressUntil = (expires: number, parkId: string, fileId: string, variant: Variant): string =>
    `/files/${fileId}/${variant}?e=${expires}&s=${signatureOf(parkId, fileId, variant, String(expires))}`

  return {
    address(parkId, fileId, variant) {
      const expires = (Math.floor(clock.now() / WINDOW_MS) + 2) * WINDOW_MS
      if (signed.expires !== expires || signed.addresses.size >= ADDRESSES_MAX) signed = { expires, addresses: new Map() }
      const key = `${parkId}/${fileId}/${variant}`
      let address = signed.addresses.get(key)
      if (address === undefined) signed.addresses.set(key, (address = addressUntil(expires, parkId, fileId, variant)))
      return address
    },
    isSigned: (parkId, { fileId, variant, expires, signature }) => sameSecret(signatureOf(parkId, fileId, variant, expires), signature),
  }
}
