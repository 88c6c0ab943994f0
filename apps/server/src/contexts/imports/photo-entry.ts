/** Photographs of an import: entered, and said to be somebody's. */
import { newId } from '../../platform/database/ids.ts'
import { looksZipped } from '../../platform/documents/zip-mark.ts'
import { NotFound, Refusal } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { invalid } from './access.ts'
import * as data from './data.ts'
import type { ImportsParts } from './parts.ts'
import { photosOf, type PhotoFile } from './photo-files.ts'
import * as photosData from './photos-data.ts'
import type { ImportsService } from './service-types.ts'

/** A photograph whose bytes are on the disk. */
type EnteredPhoto = PhotoFile & { digest: Buffer; fileId: string | null }

/** Photographs entered in one transaction. */
const PHOTO_BATCH = 20
/** Photographs in memory at a time. */
const WRITTEN_AT_ONCE = 4

/** Return a text that is the same for the same file. A photograph that could not be read is equal to no other. */
async function digestOf(bytes: Uint8Array | null, stem: string): Promise<string> {
  if (bytes === null) return `photo|${stem}|${newId()}`
  return `photo|${Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex')}`
}

/** Enter photographs, each in place of one of the same name. Return the work numbers they may touch. */
async function enterPhotos(
  { platform, access }: ImportsParts,
  scope: Scope,
  importId: string,
  photos: readonly EnteredPhoto[],
): Promise<string[]> {
  if (photos.length === 0) return []
  const spare: string[] = []
  const touched = await platform.transaction(async (tx) => {
    await access.lock(tx, scope, importId)
    const there = new Map(
      (
        await photosData.findNamed(
          scope,
          tx,
          importId,
          photos.map(({ stem }) => stem),
        )
      ).map((photo) => [photo.stem, photo]),
    )
    const numbers: string[] = []
    for (const photo of photos) {
      const before = there.get(photo.stem)
      // The same once more: it is there, or was used.
      if (before !== undefined && before.digest.equals(photo.digest) && before.state !== 'refused') {
        if (photo.fileId !== null) spare.push(photo.fileId)
        continue
      }
      if (before !== undefined) {
        await photosData.deletePhotos(scope, tx, [before.id])
        if (before.fileId !== null) await platform.storage.release(tx, scope, [before.fileId])
        if (before.workNumber !== null) numbers.push(before.workNumber)
      }
      const id = newId()
      const { filename, stem, base, position, digest, fileId, issue } = photo
      if (fileId !== null) await platform.storage.keepCapture(tx, scope, fileId)
      const entered = { id, filename, stem, base, position, digest, fileId, state: issue === null ? 'waiting' : 'refused', issue } as const
      await photosData.insertPhoto(scope, tx, importId, { ...entered, reason: issue === null ? 'unknownNumber' : 'unreadable' })
      there.set(stem, { ...entered, reason: null, assigned: null, workNumber: null, rowId: null, faceId: null })
      numbers.push(stem, ...(base === null ? [] : [base]))
    }
    await data.reopenImport(scope, tx, importId)
    return numbers
  })
  for (const fileId of spare) await platform.storage.discardCapture(fileId)
  return touched
}

type PhotoEntry = Pick<ImportsService, 'addPhotos' | 'assignPhoto'>

export function createPhotoEntry(parts: ImportsParts): PhotoEntry {
  const { platform, check, access, answers } = parts
  return {
    async addPhotos(scope, language, id, file) {
      const one = await access.find(scope, id)
      if (file === null || file.size === 0) return invalid('required')
      const single = !looksZipped(await file.read(0, 4))
      await access.inTurn(id, async () => {
        const touched = new Set<string>()
        let count = 0
        let batch: EnteredPhoto[] = []
        let writing: Promise<EnteredPhoto>[] = []
        const write = async (photo: PhotoFile): Promise<EnteredPhoto> => {
          const fileId =
            photo.bytes === null || photo.issue?.code === 200206 ? null : await platform.storage.writeOriginal(scope, photo.bytes)
          return { ...photo, bytes: null, digest: platform.crypto.blindIndex(await digestOf(photo.bytes, photo.stem)), fileId }
        }
        const written = async (): Promise<void> => {
          batch.push(...(await Promise.all(writing)))
          writing = []
        }
        const flush = async (): Promise<void> => {
          await written()
          const entering = batch
          batch = []
          try {
            for (const number of await enterPhotos(parts, scope, id, entering)) touched.add(number)
          } catch (error) {
            for (const { fileId } of entering) if (fileId !== null) await platform.storage.discardCapture(fileId)
            throw error
          }
        }
        for await (const photo of photosOf(platform.parsing, scope, file)) {
          // One alone is answered at once; of many each is listed with its reason.
          if (single && photo.issue !== null)
            throw new Refusal(photo.issue.code as 200205, { fields: [{ path: 'file', rule: photo.issue.rule }] })
          if (photo.stem === '') continue
          writing.push(write(photo))
          count++
          if (writing.length >= WRITTEN_AT_ONCE) await written()
          if (batch.length >= PHOTO_BATCH) await flush()
        }
        await flush()
        platform.audit.note({ entity: 'personImport', id, before: {}, after: { photos: count } })
        await check.all(scope, one, { numbers: [...touched] })
      })
      return answers.read(scope, language, id)
    },
    async assignPhoto(scope, id, photoId, workNumber) {
      const one = await access.find(scope, id)
      await access.inTurn(id, async () => {
        const before = await platform.transaction(async (tx) => {
          await access.lock(tx, scope, id)
          const photo = await photosData.findPhoto(scope, tx, id, photoId)
          if (photo === null) throw new NotFound()
          if (photo.state !== 'waiting') invalid('invalid', undefined, 'photoId')
          await photosData.assignPhoto(scope, tx, photoId, workNumber)
          platform.audit.note({ entity: 'personImport', id, before: {}, after: { photo: photo.filename, workNumber } })
          return photo
        })
        await check.all(scope, one, {
          numbers: [workNumber, ...[before.workNumber, before.assigned, before.stem, before.base].filter((number) => number !== null)],
        })
      })
      return photoId
    },
  }
}
