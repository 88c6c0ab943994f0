/**
 * Manifest of an upgrade package, what its signature covers, and which of two versions is newer: the same for server, terminal and console.
 * Keys and digests are computed in the parts that run on Node; here is only what is compared.
 */
import { z } from 'zod'
import { rule } from '../validation.ts'

/** `client`: the program of a terminal. `algorithm`: a set of face models. `device`: other software of a device, such as an apk. */
export const UPGRADE_KINDS = ['algorithm', 'client', 'device'] as const
export type UpgradeKind = (typeof UPGRADE_KINDS)[number]

/** Digits only (VAL-118); numbers are compared by value, so `9` is below `10`. */
export const versionNumber = z
  .string()
  .trim()
  .min(1)
  .max(18)
  .refine((value) => /^\d+$/.test(value), rule('decimalDigits'))

/** Name of the packages of the software terminal, and the name by which it identifies itself to the server. */
export const TERMINAL_PACKAGE = 'gatehouse-terminal'

/** First file of a package. */
export const MANIFEST_NAME = 'manifest.json'
/** Maximum size of the manifest in bytes. */
export const MANIFEST_MAX = 1_048_576
/** Second file of a signed package: the Ed25519 signature of the bytes of the first, in base64. */
export const SIGNATURE_NAME = 'manifest.sig'
/** Bytes of an Ed25519 signature. */
const SIGNATURE_BYTES = 64
/** Maximum size of the signature file in bytes: base64, and a line end. */
export const SIGNATURE_MAX = 128

/** A path within a package: relative, downwards, with `/`. */
const inside = z
  .string()
  .min(1)
  .max(200)
  .refine((path) => packagePath(path) === path)

/** Return a name in a tar as a path below the package's folder, empty for the folder itself; null if it is outside. */
export function packagePath(name: string): string | null {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  const isOutside = name.startsWith('/') || parts.includes('..') || ['\\', ':', '\0'].some((sign) => name.includes(sign))
  return isOutside ? null : parts.join('/')
}

/** Fields of a manifest that any package may have, including those of other makers. */
export const packageClaims = z.object({
  /** Name of the packaged software; a device accepts packages of its own name only. */
  name: z.string().min(1).max(64),
  kind: z.enum(UPGRADE_KINDS),
  versionNumber,
  /** The lowest version that it can replace. */
  minimumBase: versionNumber.optional(),
  /** Platforms on which it runs, such as `linux-arm64`; absent: any. */
  hardware: z.array(z.string().min(1).max(32)).max(32).optional(),
  /** Path of the file that is started, for a `client`. */
  entry: inside.optional(),
})
export type PackageClaims = z.output<typeof packageClaims>

/** Manifest of a signed package. */
export const packageManifest = packageClaims
  .extend({
    /** SHA-256 of its files by path, as hexadecimal digits: all files except the manifest and its signature. */
    files: z.record(inside, z.string().regex(/^[0-9a-f]{64}$/)),
  })
  .refine(({ kind, entry, files }) => (entry === undefined ? kind !== 'client' : Object.hasOwn(files, entry)), { path: ['entry'] })
export type PackageManifest = z.output<typeof packageManifest>

/** Return the signature in a `manifest.sig`; null if it contains none. */
export function signatureOf(text: string): Uint8Array<ArrayBuffer> | null {
  const base64 = text.trim()
  if (!/^[A-Za-z0-9+/]{86}==$/.test(base64)) return null
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  return bytes.length === SIGNATURE_BYTES ? bytes : null
}

/** Fault in the files of a package: a file that the manifest does not name, one that occurs twice, or a named one that is missing. */
export interface Uncovered {
  fault: 'unlisted' | 'twice' | 'missing'
  name: string
}

/**
 * Return the first fault of a package's files compared with those its manifest names, null if there is none: exactly the named files must
 * be there.
 * @param names in the order of the tar, as `packagePath` gives them, without the manifest and the signature in front
 */
export function uncoveredIn({ files }: Pick<PackageManifest, 'files'>, names: Iterable<string>): Uncovered | null {
  const missing = new Set(Object.keys(files))
  for (const name of names) {
    if (missing.delete(name)) continue
    return { fault: Object.hasOwn(files, name) ? 'twice' : 'unlisted', name }
  }
  const [name] = missing
  return name === undefined ? null : { fault: 'missing', name }
}

/**
 * Return whether a version is higher than the one that a device runs; null if the running version is not a number, as for a device that
 * runs from a checkout.
 * @param offered digits only
 */
export function isHigher(offered: string, running: string): boolean | null {
  return /^\d{1,18}$/.test(running) ? BigInt(offered) > BigInt(running) : null
}
