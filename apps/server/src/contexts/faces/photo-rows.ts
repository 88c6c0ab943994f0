/** Rows of photographs: their form in answers, and their deletion with what belongs to them. */
import type { FacePhoto } from '@gatehouse/contract/faces/calls'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'

export const photoOf = (platform: Platform, scope: Scope, { id, fileId }: data.FaceRow): FacePhoto => ({
  faceId: id,
  url: platform.storage.address(scope, fileId, '320'),
  thumbnail: platform.storage.address(scope, fileId, '96'),
})

/** Delete photographs with their templates, in the transaction. Return their files, and how many templates. */
export async function deletePhotos(
  platform: Platform,
  tx: Transaction,
  scope: Scope,
  rows: readonly data.FaceRow[],
): Promise<{ fileIds: string[]; templates: number }> {
  const [fileIds, faceIds] = [rows.map((row) => row.fileId), rows.map((row) => row.id)]
  const templates = (await data.findTemplates(scope, tx, faceIds)).length
  await data.deleteFaces(scope, tx, faceIds)
  await platform.storage.release(tx, scope, fileIds)
  return { fileIds, templates }
}
