/**
 * What an upgrade package says of itself, what its signature covers, and which of two versions is the newer: server, terminal and
 * console go by the same. Keys and digests are computed by whoever runs on Node; here is only what is compared.
 */
import { z } from 'zod'
import { rule } from '../validation.ts'

/** `client`: the program of a terminal. `algorithm`: a set of face models. `device`: what else a device is made of, such as an apk. */
export const UPGRADE_KINDS = ['algorithm', 'client', 'device'] as const
export type UpgradeKind = (typeof UPGRADE_KINDS)[number]

/** Digits only (VAL-118); numbers are compared by value, so `9` is below `10`. */
export const versionNumber = z
  .string()
  .trim()
  .min(1)
  .max(18)
  .refine((value) => /^\d+$/.test(value), rule('decimalDigits'))

/** Name of the packages of the software terminal, and what it calls itself when it tells the server what it is. */
export const TERMINAL_PACKAGE = 'gatehouse-terminal'

/** First file of a package. */
export const MANIFEST_NAME = 'manifest.json'
/** Bytes it may take. */
export const MANIFEST_MAX = 1_048_576
/** Second file of a signed package: the Ed25519 signature of the bytes of the first, in base64. */
export const SIGNATURE_NAME = 'manifest.sig'
/** Bytes of an Ed25519 signature. */
const SIGNATURE_BYTES = 64
/** Bytes the file of a signature may take: base64, and a line end. */
export const SIGNATURE_MAX = 128

/** A path within a package: relative, downwards, with `/`. */
const inside = z
  .string()
  .min(1)
  .max(200)
  .refine((path) => packagePath(path) === path)

/** A name in a tar as a path below the package's folder, empty for the folder itself; null where it lies outside. */
export function packagePath(name: string): string | null {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  const isOutside = name.startsWith('/') || parts.includes('..') || ['\\', ':', '\0'].some((sign) => name.includes(sign))
  return isOutside ? null : parts.join('/')
}

/** What any package may say of itself, those of other makers included. */
export const packageClaims = z.object({
  /** What it is a package of; a device takes those of its own name only. */
  name: z.string().min(1).max(64),
  kind: z.enum(UPGRADE_KINDS),
  versionNumber,
  /** The lowest version it can be put over. */
  minimumBase: versionNumber.optional(),
  /** Platforms it runs on, such as `linux-arm64`; absent: any. */
  hardware: z.array(z.string().min(1).max(32)).max(32).optional(),
  /** Of a `client`: the file that is started. */
  entry: inside.optional(),
})
export type PackageClaims = z.output<typeof packageClaims>

/** What a signed package says of itself. */
export const packageManifest = packageClaims
  .extend({
    /** SHA-256 of its files by path, as hexadecimal digits: all of them but the manifest and its signature, each as it says. */
    files: z.record(inside, z.string().regex(/^[0-9a-f]{64}$/)),
  })
  .refine(({ kind, entry, files }) => (entry === undefined ? kind !== 'client' : Object.hasOwn(files, entry)), { path: ['entry'] })
export type PackageManifest = z.output<typeof packageManifest>

/** The signature in a `manifest.sig`; null where it holds none. */
export function signatureOf(text: string): Uint8Array<ArrayBuffer> | null {
  const base64 = text.trim()
  if (!/^[A-Za-z0-9+/]{86}==$/.test(base64)) return null
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  return bytes.length === SIGNATURE_BYTES ? bytes : null
}

/** What is wrong with the files of a package: one that its manifest does not name or that comes twice, or a named one that is missing. */
export interface Uncovered {
  fault: 'unlisted' | 'twice' | 'missing'
  name: string
}

/**
 * Compares the files of a package with what its manifest names: exactly these must be there.
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
 * Whether a version is above what a device runs; null where the device names no number, as one of a checkout does.
 * @param offered digits only
 */
export function isHigher(offered: string, running: string): boolean | null {
  return /^\d{1,18}$/.test(running) ? BigInt(offered) > BigInt(running) : null
}
