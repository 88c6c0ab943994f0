/** Photographs of a row that is run: made faces, or refused. */
import type { BusinessCode } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { nullUnlessPassing } from '../../platform/passing-fault.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { FacesService } from '../faces/index.ts'
import { noteFace, refusePhoto, type PhotoRecord } from './photos-data.ts'

const UNREADABLE: BusinessCode = 200205

export interface RowPhotos {
  /** Return a photograph as a face that a person can be given: embedded once, whatever happens afterwards. Null where it is refused. */
  faceOf(scope: Scope, photo: PhotoRecord, signal: AbortSignal): Promise<string | null>
  refuse(scope: Scope, photo: PhotoRecord, code: number, params?: Record<string, number>): Promise<void>
}

export function createRowPhotos(platform: Platform, faces: FacesService): RowPhotos {
  const db = platform.db

  async function faceOf(scope: Scope, photo: PhotoRecord, signal: AbortSignal): Promise<string | null> {
    if (photo.faceId !== null) return photo.faceId
    const bytes = photo.fileId === null ? null : await platform.storage.load(scope, photo.fileId, 'full').catch(nullUnlessPassing)
    try {
      if (bytes === null) throw new Refusal(UNREADABLE)
      const { faceId } = await faces.cache(scope, bytes, {
        background: signal,
        alongside: (tx, id) => noteFace(scope, tx, photo.id, id),
      })
      return faceId
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await refuse(scope, photo, error.code, error.data?.fields?.[0]?.params as Record<string, number> | undefined)
      return null
    }
  }

  const refuse: RowPhotos['refuse'] = (
    scope: Scope,
    photo: PhotoRecord,
    code: number,
    params: Record<string, number> = {},
  ): Promise<void> => refusePhoto(scope, db, photo.id, { field: 'photo', code, rule: `code.${code}`, params })

  return { faceOf, refuse }
}
