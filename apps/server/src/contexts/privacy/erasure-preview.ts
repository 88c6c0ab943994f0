/** What an erasure would remove. */
import { NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { ErasedPerson } from '../people/index.ts'
import type { ErasureNeeds, ErasureService } from './erasure-types.ts'
import type { StoringDevices, PlaceName } from './removal.ts'
import type { PrivacySettings } from './settings.ts'

export function createErasurePreview(
  policy: PrivacySettings,
  { persons, faces, access, holders }: ErasureNeeds,
  devicesStoring: (scope: Scope, personIds: readonly string[]) => Promise<StoringDevices>,
): Pick<ErasureService, 'preview'> {
  return {
    async preview(scope, personIds) {
      const ids = [...new Set(personIds)]
      const found = await persons.find(scope, ids)
      if (found.length === 0 || found.length < ids.length) throw new NotFound()
      const kept = policy.of(scope).recordsOnErasure === 'keep'
      const [photographs, { records, captures }, { holding, keeping }] = await Promise.all([
        faces.count(scope, ids),
        access.count(scope, ids),
        devicesStoring(scope, ids),
      ])
      const others = await Promise.all(
        holders().map(async (holder) => ({ place: holder.place as PlaceName, count: await holder.count(scope, found), kept: false })),
      )
      const sum = (of: (person: ErasedPerson) => number): number => found.reduce((total, person) => total + of(person), 0)
      return {
        persons: found.length,
        places: [
          { place: 'person', count: found.length, kept: false },
          { place: 'contacts', count: sum(({ contactIds }) => contactIds.length), kept: false },
          { place: 'photographs', count: photographs, kept: false },
          { place: 'idPictures', count: sum(({ pictures }) => pictures.length), kept: false },
          ...others,
          { place: 'terminal', count: holding.length, kept: false },
          { place: 'terminalRecords', count: keeping.length, kept: false },
          { place: 'records', count: records, kept },
          { place: 'captures', count: captures, kept },
        ],
      }
    },
  }
}
