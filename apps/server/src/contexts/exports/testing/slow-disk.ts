/** A disk that takes nothing: an export that is being made stays so for as long as a test needs. */
import { onTestFinished } from 'vitest'
import type { Storage } from '../../../platform/storage/storage-types.ts'

/** Holds pieces of files back from now on. @returns lets them through again, as the end of the test does */
export function holdDisk(storage: Storage): () => void {
  const { writeOriginal } = storage
  const { promise, resolve } = Promise.withResolvers<void>()
  storage.writeOriginal = async (scope, bytes) => {
    await promise
    return writeOriginal(scope, bytes)
  }
  const release = (): void => {
    storage.writeOriginal = writeOriginal
    resolve()
  }
  onTestFinished(release)
  return release
}
