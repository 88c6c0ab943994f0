/** Installation of a package handed in at the terminal, answered in the codes of the device-side console. */
import type { PackageFault } from './refused.ts'
import { putInPlace } from './installation.ts'
import { refusalOf } from './refused.ts'

/** 201: it is installed, and the terminal restarts. All others are refusals; the terminal is unchanged. */
export type InstallCode = 201 | 402 | 403 | 517 | 526 | 527 | 540 | 541 | 542 | 543

const CODES: Record<PackageFault, InstallCode> = {
  notTar: 403,
  hardware: 402,
  modelsNotHigher: 517,
  notHigher: 526,
  noRoom: 527,
  fault: 527,
  packageManager: 527,
  key: 527,
  packageInvalid: 540,
  mismatched: 541,
  md5: 542,
  signature: 542,
  baseTooLow: 543,
}

/**
 * Check a package and install it; after 201 the caller restarts the terminal.
 * @param path of the file handed in, which is not removed
 * @param root folder of the installation; null if this terminal runs from a checkout or a package manager: 527
 */
export async function installPackage(path: string, root: string | null, log: (sentence: string) => void): Promise<InstallCode> {
  try {
    if (root === null) {
      log('This installation is upgraded by its package manager.')
      return CODES.packageManager
    }
    await putInPlace(root, path, { task: null })
    return 201
  } catch (error) {
    const { fault, message } = refusalOf(error)
    log(`The package is not installed: ${message}`)
    return CODES[fault]
  }
}
