/** The launcher this program was started by, if it was. */
import { readPointer } from './pointer.ts'

export interface Supervised {
  /** Folder of the installation. */
  root: string
  /** Number of the version that runs. */
  versionNumber: string
  /** Number of the models it runs with; empty where these are its own. */
  algorithmVersion: string
  /** Resolves when nobody goes back from this version any more. */
  proven: Promise<void>
  /** Tells the launcher that this version does its work. */
  ready(): void
}

/**
 * @param root folder of the installation, as the launcher tells it; undefined where there is none
 * @param abandoned told when the launcher is gone: there is nobody to start this program again
 */
export function supervisedBy(root: string | undefined, abandoned: () => void): Supervised | null {
  if (root === undefined || root === '' || process.send === undefined) return null
  const { client, algorithm, trial } = readPointer(root)
  const proven = Promise.withResolvers<void>()
  if (trial === null) proven.resolve()
  process.on('message', (message) => {
    if ((message as { proven?: unknown }).proven === true) proven.resolve()
  })
  process.once('disconnect', abandoned)
  return {
    root,
    versionNumber: client.versionNumber,
    algorithmVersion: algorithm?.versionNumber ?? '',
    proven: proven.promise,
    ready: () => void process.send?.({ ready: true }),
  }
}
