/** Where a device keeps what it fetches, and what it runs: a folder of an installation, or the memory of a simulated device. */
import type { DeviceUpgrade } from '@gatehouse/contract/upgrades/calls'
import type { UpgradeKind } from '@gatehouse/contract/upgrades/package'

/** How the last thing put in place has turned out. */
export interface Outcome {
  task: { id: string; attempt: number }
  /** Whether it runs; otherwise the version before runs again. */
  ready: boolean
  /** What runs now of its kind. */
  versionNumber: string
}

/** All of it is there again after a power cut, or the state before is. */
export interface UpgradePlace {
  /** Number of what runs of a kind; empty where it has none. */
  running(kind: UpgradeKind): string
  /** What is being worked on. */
  work(): DeviceUpgrade | null
  /** Begins with another one, nothing of which has been fetched; null ends it and drops what was fetched. */
  begin(work: DeviceUpgrade | null): void
  /** Bytes fetched. */
  fetched(): number
  append(bytes: Uint8Array): void
  /** Of the bytes fetched, as hexadecimal digits. */
  md5(): Promise<string>
  /** Whether packages are taken at all. @throws PackageRefused where there is no key to check them by */
  demandKey(): void
  /** Whether what was fetched may be put in place. @throws PackageRefused */
  inspect(): Promise<void>
  /** Puts it in place, to be started next, after it has judged it anew. @throws PackageRefused, with what runs left as it is */
  install(): Promise<void>
  /** Ends the program, which is then started again. */
  restart(): void
  /** What the server has not been told. */
  outcome(): Outcome | null
  /** The server knows. */
  told(): void
}
