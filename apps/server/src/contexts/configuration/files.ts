/** Voice prompts and screen savers: checked, stored encrypted, and deleted once no setting names them. */
import sharp from 'sharp'
import { IMAGE_PIXELS_MAX, type FieldIssue } from '@gatehouse/contract'
import { SETTING_FILE_BYTES, type SettingFileKind } from '@gatehouse/contract/configuration/calls'
import type { FileAnswer, Platform } from '../../platform/context.ts'
import { createSemaphore } from '../../platform/async/semaphore.ts'
import { defineParser } from '../../platform/documents/parser.ts'
import type { Database } from '../../platform/database/database.ts'
import { InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'
import type { parse } from './sound-parser.ts'

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const CONTENT_TYPES: Record<SettingFileKind, string> = { voice: 'audio/mpeg', screenSaver: 'image/png' }
const FILENAMES: Record<SettingFileKind, string> = { voice: 'voice.mp3', screenSaver: 'screen-saver.png' }
const DAY = 86_400_000
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Maximum of pictures waiting to be decoded. They are decoded one at a time, since each needs memory for all its pixels. */
const WAITING = 50

const soundParser = defineParser<typeof parse>('sound', new URL('./sound-parser.ts', import.meta.url), { workMs: 15_000 })

export interface SettingFiles {
  /** @throws InvalidRequest at `file`, with what is wrong with it */
  store(scope: Scope, kind: SettingFileKind, bytes: Buffer): Promise<data.FileRow>
  /** @throws NotFound */
  read(scope: Scope, id: string): Promise<FileAnswer>
  /** Return whether a file of that kind and id exists. */
  has(scope: Scope, db: Database, kind: SettingFileKind, id: string): Promise<boolean>
  /** Delete files older than a day that no setting names; return how many. */
  dropUnused(): Promise<number>
}

/** Return the size in pixels from the signature and header of a PNG file; null if it does not begin with these. */
function sizeOfPng(bytes: Buffer): { width: number; height: number } | null {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(PNG_SIGNATURE) || bytes.toString('latin1', 12, 16) !== 'IHDR') return null
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

export function createSettingFiles(platform: Platform): SettingFiles {
  const db = platform.db
  const semaphore = createSemaphore(1, WAITING)
  const invalid = (issue: Omit<FieldIssue, 'path'>, status?: number): never => {
    throw new InvalidRequest([{ path: 'file', ...issue }], status)
  }

  async function assertPng(bytes: Buffer): Promise<void> {
    const size = sizeOfPng(bytes)
    if (size === null || size.width * size.height === 0) return invalid({ rule: 'nativePng' })
    if (size.width * size.height > IMAGE_PIXELS_MAX) return invalid({ rule: 'pixels', params: { limit: IMAGE_PIXELS_MAX / 1_000_000 } })
    const leave = await semaphore.enter(1).catch(() => refuse(900000))
    try {
      // Decodes the whole picture, though the result is discarded: a truncated picture would show a grey bar at every door.
      await sharp(bytes, { limitInputPixels: IMAGE_PIXELS_MAX, failOn: 'warning' }).resize(8, 8, { fit: 'fill' }).raw().toBuffer()
    } catch {
      invalid({ rule: 'nativePng' })
    } finally {
      leave()
    }
  }

  return {
    async store(scope, kind, bytes) {
      const limit = SETTING_FILE_BYTES[kind]
      if (bytes.length > limit) invalid({ rule: 'max.file', params: { limit } }, 413)
      if (kind === 'screenSaver') await assertPng(bytes)
      else {
        const { fault } = await platform.parsing.whole(scope, soundParser, { bytes }, {})
        if (fault !== null) invalid(fault)
      }
      const id = await platform.storage.writeOriginal(scope, bytes)
      const row: data.FileRow = { id, kind, size: bytes.length }
      try {
        await platform.transaction(async (tx) => {
          await platform.storage.keepCapture(tx, scope, id)
          await data.insertFile(scope, tx, row, platform.clock.now())
          platform.audit.note({ entity: 'deviceSettingFile', id, after: { kind, size: bytes.length } })
        })
      } catch (error) {
        await platform.storage.discardCapture(id)
        throw error
      }
      return row
    },
    async read(scope, id) {
      const row = await data.findFile(scope, db, id)
      const bytes = row === undefined ? null : await platform.storage.load(scope, row.id, 'full')
      if (row === undefined || bytes === null) throw new NotFound()
      return { bytes, contentType: CONTENT_TYPES[row.kind], filename: FILENAMES[row.kind] }
    },
    has: async (scope, on, kind, id) => UUID.test(id) && (await data.findFile(scope, on, id))?.kind === kind,
    async dropUnused() {
      const before = platform.clock.now() - DAY
      let dropped = 0
      for (const parkId of await data.findParksWithUnusedFilesUnscoped(db, before)) {
        const scope: Scope = { parkId }
        await platform.transaction(async (tx) => {
          // Changes of settings, which may name one of the files, are blocked meanwhile.
          await data.lockPark(scope, tx)
          const ids = await data.deleteUnusedFiles(scope, tx, before)
          await platform.storage.release(tx, scope, ids)
          dropped += ids.length
        })
      }
      return dropped
    },
  }
}
