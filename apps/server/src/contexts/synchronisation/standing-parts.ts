/** Doors and persons of a standing. */
import type { SynchronisationDependencies } from './dependencies.ts'
import { seeingAll, type Scope } from '../../platform/session/session.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { zoneOfOffset } from './manifest.ts'
import type { DeviceFacts } from './register-facts.ts'
import type { StandingDoor } from './standing-types.ts'

export const doorOf = (
  { configuration, ...device }: Pick<DeviceFacts, 'id' | 'groupId' | 'configuration'> & { name: string | null },
  zone: string,
): StandingDoor => ({
  id: device.id,
  groupId: device.groupId,
  name: device.name,
  zone: configuration?.timeZone == null ? zone : zoneOfOffset(configuration.timeZone),
  methods: configuration?.verificationMode ?? [],
})

/**
 * Return facts of persons who are or were registered, and the ids of those on the watch list. Whatever the caller may see, the latter are
 * left out of answers.
 */
export async function registeredPersons(
  people: Pick<SynchronisationDependencies['people'], 'facts'>,
  scope: Scope,
  ids: readonly string[],
) {
  const facts = await people.facts(seeingAll(scope), ids.filter(isUuid))
  return { facts, watchList: new Set(facts.filter(({ kind }) => kind === 'special').map(({ id }) => id)) }
}
