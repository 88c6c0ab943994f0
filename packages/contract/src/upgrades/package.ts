/** What an upgrade package says of itself, and which of two versions is the newer: server, terminal and console go by the same. */
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

/** First file of a package. */
export const MANIFEST_NAME = 'manifest.json'
/** Bytes it may take. */
export const MANIFEST_MAX = 1_048_576

/** A path within a package: relative, downwards, with `/`. */
const inside = z
  .string()
  .min(1)
  .max(200)
  .refine((path) => path.split('/').every((part) => part !== '' && part !== '.' && part !== '..') && !/[\\:]/.test(path))

export const packageManifest = z.object({
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
  /** SHA-256 of its files by path, as hexadecimal digits; what is named here must be there, and as it says. */
  files: z.record(inside, z.string().regex(/^[0-9a-f]{64}$/)).default({}),
})
export type PackageManifest = z.output<typeof packageManifest>

/**
 * Whether a version is above what a device runs; null where the device names no number, as one of a checkout does.
 * @param offered digits only
 */
export function isHigher(offered: string, running: string): boolean | null {
  return /^\d{1,18}$/.test(running) ? BigInt(offered) > BigInt(running) : null
}
