/**
 * Storage of a device for the package being fetched and the installed versions: a folder of an installation, or the memory of a simulated
 * device.
 */
import type { DeviceUpgrade } from '@gatehouse/contract/upgrades/calls'
import type { UpgradeKind } from '@gatehouse/contract/upgrades/package'

/** Outcome of the last installation. */
export interface Outcome {
  task: { id: string; attempt: number }
  /** Whether the version runs; otherwise the previous one runs again. */
  ready: boolean
  /** The running version of its kind. */
  versionNumber: string
}

/** After a power failure, each change is either complete or undone. */
export interface UpgradePlace {
  /** Return the running version of a kind; empty if there is none. */
  running(kind: UpgradeKind): string
  /** Return the current task. */
  work(): DeviceUpgrade | null
  /** Begin another task, without anything fetched; null ends the task and drops what was fetched. */
  begin(work: DeviceUpgrade | null): void
  /** Return the number of bytes fetched. */
  fetched(): number
  append(bytes: Uint8Array): void
  /** Return the MD5 of the bytes fetched, as hexadecimal digits. */
  md5(): Promise<string>
  /** Check that packages are accepted at all. @throws PackageRefused if there is no key to check them by */
  demandKey(): void
  /** Check whether the fetched package may be installed. @throws PackageRefused */
  inspect(): Promise<void>
  /**
   * Check the fetched package again and install it; it runs from the next start. @throws PackageRefused; the running version is unchanged
   * then
   */
  install(): Promise<void>
  /** End the program, which is then restarted. */
  restart(): void
  /** Return the outcome not yet reported to the server. */
  outcome(): Outcome | null
  /** Note that the server knows the outcome. */
  reported(): void
}
