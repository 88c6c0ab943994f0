/** What a simulated device runs, and its upgrades: packages are fetched, counted and compared, not kept. */
import { createHash, type Hash } from 'node:crypto'
import type { DeviceUpgrade } from '@gatehouse/contract/upgrades/calls'
import type { Outcome, UpgradePlace } from '@gatehouse/terminal/upgrade/place'

export interface SimulatedInstallation {
  /** Return the version that it reports. */
  version(): string
  algorithmVersion(): string
  /** Return the bytes of all packages that arrived. */
  received(): number
  /** Return the place as a device finds it when it is switched on. @param restart switches it off and on again */
  place(restart: () => void): UpgradePlace
}

/** @param version of its first firmware */
export function createSimulatedInstallation(version: string): SimulatedInstallation {
  const runs = { client: version, algorithm: '', device: '' }
  let work: DeviceUpgrade | null = null
  let fetched = 0
  let received = 0
  let digest: Hash = createHash('md5')
  let outcome: Outcome | null = null

  function begin(next: DeviceUpgrade | null): void {
    work = next
    fetched = 0
    digest = createHash('md5')
  }

  return {
    version: () => runs.client,
    algorithmVersion: () => runs.algorithm,
    received: () => received,
    place: (restart) => ({
      running: (kind) => runs[kind],
      work: () => work,
      begin,
      fetched: () => fetched,
      append(bytes) {
        digest.update(bytes)
        fetched += bytes.length
        received += bytes.length
      },
      md5: async () => digest.copy().digest('hex'),
      // Like a device of another maker, it does not check who made the package, and has room for any.
      demandKey: () => {},
      inspect: async () => {},
      async install() {
        const { id, attempt, kind, versionNumber } = work!
        runs[kind] = versionNumber
        outcome = { task: { id, attempt }, ready: true, versionNumber }
        begin(null)
      },
      restart,
      outcome: () => outcome,
      reported: () => void (outcome = null),
    }),
  }
}
