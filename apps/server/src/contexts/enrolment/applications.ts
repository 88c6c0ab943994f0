/** Applications: submitted by people themselves or by a third party, listed for approvers. */
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import type { Platform } from '../../platform/context.ts'
import * as data from './data.ts'
import { filesOf } from './application-files.ts'
import { createHandingIn, groupNamesOf } from './handing-in.ts'
import { phoneOf } from './phone.ts'
import type { Photos } from './photo.ts'
import type { ApplicationNeeds, Applications } from './applications-types.ts'

export function createApplications(platform: Platform, photos: Photos, needs: ApplicationNeeds): Applications {
  const { groups, faces } = needs
  const db = platform.db
  return {
    ...createHandingIn(platform, photos, needs),
    async list(scope, query) {
      const { content, total } = await data.listApplications(scope, db, query)
      const [names, phones, own, similar] = await Promise.all([
        groupNamesOf(
          groups,
          scope,
          content.map(({ groupId }) => groupId),
        ),
        Promise.all(content.map((row) => phoneOf(platform.crypto, scope, row))),
        faces.photosOf(
          scope,
          content.flatMap(({ personId }) => personId ?? []),
        ),
        Promise.all(content.map((row) => photos.similarTo(scope, row))),
      ])
      const addressOf = (fileId: string | null, variant: '96' | '320'): string =>
        fileId === null ? '' : platform.storage.address(scope, fileId, variant)
      return {
        total,
        content: content.map((row, at) => ({
          id: row.id,
          source: row.source as data.ApplicationSource,
          system: row.system,
          state: row.state as data.AuditState,
          personId: row.personId,
          kind: row.kind as PersonKind,
          name: row.name,
          workNumber: row.workNumber ?? '',
          phone: phones[at] ?? '',
          gender: row.gender,
          groupId: row.groupId,
          groupName: names.get(row.groupId) ?? '',
          url: addressOf(row.fileId, '320'),
          thumbnail: addressOf(row.fileId, '96'),
          secondUrl: addressOf(row.secondFileId, '320'),
          photos: (own.get(row.personId ?? '') ?? []).map(({ url, thumbnail }) => ({ url, thumbnail })),
          similar: similar[at]!,
          consent: row.consent,
          createdAt: row.createdAt,
          decidedAt: row.decidedAt,
          decidedBy: row.decidedBy,
          reason: row.reason,
        })),
        page: query.page,
        size: query.size,
      }
    },
    holder: {
      place: 'applications',
      count: async (scope, persons) => (await data.findApplicationsOf(scope, db, persons)).length,
      async forget(tx, scope, persons) {
        const rows = await data.findApplicationsOf(scope, tx, persons)
        const ids = rows.map(({ id }) => id)
        const fileIds = rows.flatMap(filesOf)
        await data.deleteApplications(scope, tx, ids)
        await platform.storage.release(tx, scope, fileIds)
        await platform.audit.forget(tx, 'personApplication', ids)
        await data.deleteLinksOf(scope, tx, { personIds: persons.map(({ id }) => id) })
        return { count: rows.length, fileIds }
      },
    },
  }
}
