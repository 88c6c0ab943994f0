/**
 * Ownership of a bucket. A mark in it, sealed by the installation, keeps another installation from using the same bucket: each would
 * remove the other's files as files without rows.
 */
import type { Crypto } from '../encryption/crypto.ts'
import type { Place } from '../encryption/sealed-column.ts'
import { INSTALLATION_ID } from '../installation.ts'
import type { Disk } from './disk.ts'

const MARK = 'installation'
const PLACE: Place = `files ${MARK}`

/** Write the mark of this installation to a disk. */
export const markDisk = async (disk: Disk, crypto: Pick<Crypto, 'seal'>): Promise<void> =>
  disk.replace(MARK, await crypto.seal(INSTALLATION_ID, PLACE, Buffer.from('Gatehouse')))

/**
 * Check that a bucket belongs to this installation, and claim an empty one.
 * @param refersToFiles whether the database refers to files
 * @throws Error with a sentence if the bucket cannot be used
 */
export async function claimBucket(disk: Disk, crypto: Pick<Crypto, 'seal' | 'open'>, refersToFiles: () => Promise<boolean>): Promise<void> {
  // Read first: another node of this installation may write the mark meanwhile.
  const isEmpty = await disk.isEmpty()
  const mark = await disk.read(MARK).catch((error: unknown) => {
    throw new Error('Nothing can be read from the bucket that STORAGE_URL names: its key needs the right to get objects.', { cause: error })
  })
  if (mark === null) {
    if (!isEmpty) throw new Error('The bucket that STORAGE_URL names holds something else. Gatehouse needs a bucket of its own.')
    if (await refersToFiles())
      throw new Error(
        'The bucket that STORAGE_URL names is empty, but this installation has files. ' +
          'Move them there by a backup that is restored with STORAGE_URL.',
      )
  } else
    await crypto.open(INSTALLATION_ID, PLACE, mark).catch((error: unknown) => {
      throw new Error('The bucket that STORAGE_URL names belongs to another installation.', { cause: error })
    })
  // Also if it exists: a key without the right to write is found now, not with the first picture.
  await markDisk(disk, crypto).catch((error: unknown) => {
    throw new Error('Nothing can be written into the bucket that STORAGE_URL names: its key needs the right to put objects.', {
      cause: error,
    })
  })
}
