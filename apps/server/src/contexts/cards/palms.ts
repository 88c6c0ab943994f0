/** Palms of persons: a collector sends the picture under the id of the request, before it answers the request. */
import sharp from 'sharp'
import { IMAGE_PIXELS_MAX } from '@gatehouse/contract'
import type { Palm } from '@gatehouse/contract/cards/issuing'
import { PALM_IMAGE_MAX } from '@gatehouse/contract/limits'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { createSemaphore } from '../../platform/async/semaphore.ts'
import { InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { DevicePrincipal, Scope } from '../../platform/session/session.ts'
import { type PeopleService, VISITOR_KIND } from '../people/index.ts'
import * as data from './data.ts'
import { palmsChanged } from './events.ts'
import type { Readers } from './readers.ts'

export interface Palms {
  list(scope: Scope, personId: string): Promise<Palm[]>
  /** Wait for a palm and store its picture; null if none was presented. @throws InvalidRequest; Refusal 400205, 400206 */
  enrol(scope: Scope, options: { personId: string; deviceId: string; seconds: number }, signal: AbortSignal): Promise<Palm | null>
  /**
   * Take the picture requested from a collector, and the template of its reader, base64. @throws NotFound if none was; InvalidRequest too
   * large; Refusal 200205
   */
  take(scope: Scope, device: DevicePrincipal, id: string, palm: { picture: Buffer; template: string | null }): Promise<void>
  /** @throws NotFound */
  delete(scope: Scope, id: string): Promise<void>
  forgetPersons(tx: Transaction, scope: Scope, personIds: readonly string[]): Promise<{ count: number; fileIds: string[] }>
  /** Delete requested palms that were never presented. */
  dropUnshown(): Promise<number>
}

const UNSHOWN_MS = 10 * 60_000
/** Return whether the first bytes are those of a JPEG or PNG, which collectors create. */
const isPicture = (bytes: Buffer): boolean =>
  ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff'].some((begin) => bytes.toString('latin1', 0, begin.length) === begin)

export function createPalms(platform: Platform, readers: Readers, people: Pick<PeopleService, 'facts'>): Palms {
  const db = platform.db
  /** Pictures are decoded one after the other: each may need as much memory as its pixels. */
  const semaphore = createSemaphore(1, 50)

  const present = (scope: Scope, { id, personId, deviceName, createdAt, hasTemplate }: data.PalmRow, fileId: string): Palm => ({
    id,
    personId,
    deviceName,
    takenAt: createdAt,
    url: platform.storage.address(scope, fileId, '320'),
    thumbnail: platform.storage.address(scope, fileId, '96'),
    hasTemplate,
  })

  async function remove(tx: Transaction, scope: Scope, rows: readonly data.PalmRow[]): Promise<string[]> {
    const fileIds = rows.flatMap(({ fileId }) => fileId ?? [])
    await data.deletePalms(
      scope,
      tx,
      rows.map(({ id }) => id),
    )
    await platform.storage.release(tx, scope, fileIds)
    return fileIds
  }

  const announce = (tx: Transaction, { parkId }: Scope, personId: string) =>
    platform.events.announce(tx, palmsChanged, parkId, { personIds: [personId] })

  async function nameOf(scope: Scope, personId: string): Promise<string> {
    const [person] = await people.facts(scope, [personId])
    if (person === undefined || person.kind === VISITOR_KIND) throw new InvalidRequest([{ path: 'personId', rule: 'unknown' }])
    return person.name
  }

  return {
    async list(scope, personId) {
      return (await data.findPalms(scope, db, { personIds: [personId] })).flatMap((row) =>
        row.fileId === null ? [] : [present(scope, row, row.fileId)],
      )
    },
    async enrol(scope, { personId, deviceId, seconds }, signal) {
      const name = await nameOf(scope, personId)
      return readers.using(scope, deviceId, async ({ device, collect }) => {
        const id = newId()
        await data.insertPalm(scope, db, { id, personId, deviceId: device.id, deviceName: device.name }, platform.clock.now())
        try {
          await collect('palm', seconds, signal, id)
        } finally {
          const [row] = await data.findPalms(scope, db, { id })
          if (row !== undefined && (row.fileId === null || signal.aborted))
            await platform.transaction(async (tx) => {
              await remove(tx, scope, [row])
              if (row.hasTemplate) await announce(tx, scope, personId)
            })
        }
        const [row] = await data.findPalms(scope, db, { id })
        if (row === undefined || row.fileId === null) return null
        // The picture was written by the collector's own call.
        platform.audit.note({ entity: 'person', id: personId, label: name, labelMask: 'name', before: {}, after: { palm: device.name } })
        return present(scope, row, row.fileId)
      })
    },
    async take(scope, device, id, { picture, template }) {
      if (!(await data.isAwaited(scope, db, id, device.deviceId))) throw new NotFound()
      if (picture.length > PALM_IMAGE_MAX)
        throw new InvalidRequest([{ path: 'file', rule: 'max.file', params: { limit: PALM_IMAGE_MAX } }], 413)
      if (!isPicture(picture)) refuse(200205, 'file')
      const leave = await semaphore.enter(1).catch(() => refuse(900000))
      try {
        const { width, height } = await sharp(picture, { limitInputPixels: IMAGE_PIXELS_MAX })
          .metadata()
          .catch(() => refuse(200205, 'file'))
        if (width * height > IMAGE_PIXELS_MAX) refuse(200205, 'file')
        const fileId = await platform.storage
          .savePicture(scope, picture, 'palm')
          .catch((error: NodeJS.ErrnoException) => (error.code === undefined ? refuse(200205, 'file') : Promise.reject(error)))
        await platform.transaction(async (tx) => {
          // The request was cancelled, or the picture was sent twice: no row refers to the new file, and it is deleted later.
          const personId = await data.fillPalm(
            scope,
            { db: tx, crypto: platform.crypto },
            { id, deviceId: device.deviceId },
            { fileId, template },
          )
          if (personId === null) throw new NotFound()
          await platform.storage.keep(tx, scope, [fileId])
          if (template !== null) await announce(tx, scope, personId)
        })
      } finally {
        leave()
      }
    },
    async delete(scope, id) {
      const [row] = await data.findPalms(scope, db, { id })
      if (row === undefined || row.fileId === null) throw new NotFound()
      const [person] = await people.facts(scope, [row.personId])
      await platform.transaction(async (tx) => {
        await remove(tx, scope, [row])
        if (row.hasTemplate) await announce(tx, scope, row.personId)
        platform.audit.note({
          entity: 'person',
          id: row.personId,
          label: person?.name ?? '',
          labelMask: 'name',
          before: { palm: row.deviceName },
          after: {},
        })
      })
    },
    async forgetPersons(tx, scope, personIds) {
      const rows = await data.findPalms(scope, tx, { personIds })
      return { count: rows.length, fileIds: await remove(tx, scope, rows) }
    },
    dropUnshown: () => data.deleteUnshownUnscoped(db, platform.clock.now() - UNSHOWN_MS),
  }
}
