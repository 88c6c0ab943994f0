/** Reasons for refusing a package. */
import type { UpgradeFailure } from '@gatehouse/contract/upgrades/states'

export type PackageFault =
  | 'notTar'
  | 'packageInvalid'
  | 'md5'
  | 'signature'
  | 'key'
  | 'mismatched'
  | 'hardware'
  | 'baseTooLow'
  | 'notHigher'
  | 'modelsNotHigher'
  | 'noRoom'
  | 'packageManager'
  | 'fault'

export class PackageRefused extends Error {
  override readonly name = 'PackageRefused'
  readonly fault: PackageFault
  constructor(fault: PackageFault, sentence: string) {
    super(sentence)
    this.fault = fault
  }
}

/** Return an error while unpacking or installing as a refusal. */
export function refusalOf(error: unknown): PackageRefused {
  if (error instanceof PackageRefused) return error
  const { code, message } = error as { code?: unknown; message?: string }
  return code === 'ENOSPC' || code === 'EDQUOT'
    ? new PackageRefused('noRoom', 'The disk is full.')
    : new PackageRefused('fault', message ?? String(error))
}

/** Return the fault as it is reported to the server. */
export function failureOf(fault: PackageFault): UpgradeFailure {
  if (fault === 'notTar') return 'packageInvalid'
  return fault === 'notHigher' || fault === 'modelsNotHigher' ? 'fault' : fault
}
