/** Persons as lists and detail pages show them. */
import { PERSONS_NAMED } from '@gatehouse/contract/people/calls'
import { NotFound } from '../../platform/http/refusal.ts'
import { listPersons, summarisePersons } from './listing-data.ts'
import type { RegisterParts } from './parts.ts'
import { createPresenter } from './present.ts'
import type { PeopleService } from './service-types.ts'

/** A person expires soon whose validity ends within this time. */
const EXPIRING_MS = 30 * 86_400_000

export function createListing({
  platform,
  faces,
  groups,
  form,
  contacts,
  rows: { reading, existing },
}: RegisterParts): Pick<PeopleService, 'list' | 'read' | 'preview' | 'summary'> {
  const { present } = createPresenter(platform, form)
  return {
    async list(scope, query) {
      const groupIds = query.groupId === undefined ? null : await groups.withDescendants(scope, [query.groupId])
      if (groupIds?.length === 0) throw new NotFound()
      const { content, total } = await listPersons(scope, reading, query, groupIds, platform.clock.now())
      const photos = await faces.photosOf(
        scope,
        content.map((row) => row.id),
      )
      return { total, content: await present(scope, content, photos), page: query.page, size: query.size }
    },
    async read(scope, id) {
      const [row] = await existing(scope, [id])
      const [photos, contactsOf] = await Promise.all([faces.photosOf(scope, [id]), contacts.list(scope, id)])
      const [person] = await present(scope, [row!], photos)
      return { ...person!, contacts: contactsOf }
    },
    async preview(scope, ids) {
      const rows = await existing(scope, ids)
      const nameOf = new Map(rows.map((row) => [row.id, row.name]))
      return {
        persons: rows.length,
        faces: await faces.count(scope, ids),
        disabled: rows.filter((row) => !row.enabled).length,
        names: [...new Set(ids)].slice(0, PERSONS_NAMED).flatMap((id) => nameOf.get(id) ?? []),
      }
    },
    async summary(scope) {
      const now = platform.clock.now()
      return summarisePersons(scope, platform.db, now, now + EXPIRING_MS)
    },
  }
}
