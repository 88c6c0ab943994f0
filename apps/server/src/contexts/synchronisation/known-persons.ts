/** The register of persons with the persons of linked parks who pass here: each is read in their home park. */
import { inPark, type Scope } from '../../platform/session/session.ts'
import type { FacesService } from '../faces/index.ts'
import type { PeopleService } from '../people/index.ts'
import type { SynchronisationView } from './view.ts'

interface Needs {
  people: Pick<PeopleService, 'facts' | 'idsNamed' | 'unseen'>
  faces: Pick<FacesService, 'photosOf'>
}

/** Facts of own persons and of persons of linked parks; a park without links reads its own only. */
export interface KnownPersons extends Pick<PeopleService, 'facts' | 'idsNamed' | 'unseen'>, Pick<FacesService, 'photosOf'> {
  /** Return the home park of a person: this one, unless a linked park shares the person. */
  homeOf(scope: Scope, personId: string): string
}

export function createKnownPersons({ people, faces }: Needs, { homeOf, homes, isCovered }: SynchronisationView): KnownPersons {
  /** Ask each home park for its own persons. */
  async function ofEach<Answer>(
    scope: Scope,
    personIds: readonly string[],
    ask: (of: Scope, ids: readonly string[]) => Promise<Answer>,
  ): Promise<Answer[]> {
    if (homes(scope).length === 0) return [await ask(scope, personIds)]
    return Promise.all([...Map.groupBy(personIds, (id) => homeOf(scope, id))].map(([parkId, ids]) => ask(inPark(scope, parkId), ids)))
  }

  return {
    homeOf,
    facts: async (scope, ids) => (await ofEach(scope, ids, people.facts)).flat(),
    async idsNamed(scope, text) {
      const [own, ...others] = await Promise.all(
        [scope.parkId, ...homes(scope)].map((parkId) => people.idsNamed(inPark(scope, parkId), text)),
      )
      return [...own!, ...others.flat().filter((id) => homeOf(scope, id) !== scope.parkId)]
    },
    async unseen(scope) {
      const all = await Promise.all([scope.parkId, ...homes(scope)].map((parkId) => people.unseen(inPark(scope, parkId))))
      return { ids: new Set(all.flatMap(({ ids }) => [...ids])), names: new Set(all.flatMap(({ names }) => [...names])) }
    },
    async photosOf(scope, ids) {
      // Photographs from other parks are shown only while their persons may pass.
      const shown = homes(scope).length === 0 ? ids : ids.filter((id) => homeOf(scope, id) === scope.parkId || isCovered(scope, id))
      return new Map((await ofEach(scope, shown, faces.photosOf)).flatMap((photos) => [...photos]))
    },
  }
}
