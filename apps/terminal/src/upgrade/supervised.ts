/** The launcher that started this program, if any. */
import { readPointer } from './pointer.ts'

export interface Supervised {
  /** Folder of the installation. */
  root: string
  /** Number of the running version. */
  versionNumber: string
  /** Number of the face models in use; empty if they are the program's own. */
  algorithmVersion: string
  /** Resolves when this version is no longer rolled back. */
  proven: Promise<void>
  /** Report to the launcher that this version works. */
  ready(): void
}

/**
 * @param root folder of the installation, as the launcher passes it; undefined without a launcher
 * @param abandoned called when the launcher is gone, so that nothing can restart this program
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
