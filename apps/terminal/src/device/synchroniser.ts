/** Brings the holdings to what the server's manifest asks for. */
import { deviceProtocolCalls, personObject, type Manifest, type PersonObject } from '@gatehouse/contract/device/protocol'
import { call } from '@gatehouse/contract'
import { z } from 'zod'
import type { Holdings } from './holdings.ts'
import { ServerRefused, type ServerClient } from './server.ts'

/** Persons asked for at once; with three faces each an answer of about half a megabyte. */
const PAGE = 200

/** The `persons` call read person by person: one that cannot be read must not hold up the rest of its page. */
const personsOneByOne = call({ ...deviceProtocolCalls.persons, data: z.object({ persons: z.array(z.unknown()) }) })
const identified = z.object({ id: personObject.shape.id })

/**
 * Pulls the manifest and what is missing here. What arrived stays when it is broken off; the next pull goes on there.
 * @returns the revision now held
 * @throws ServerAway, ServerRefused when the server cannot be asked
 */
export async function pull(client: ServerClient, holdings: Holdings, modelId: string, signal?: AbortSignal): Promise<string> {
  const manifest = await client.request(deviceProtocolCalls.manifest, {}, { signal })
  const missing = holdings.apply(manifest)
  for (let from = 0; from < missing.length; from += PAGE) {
    await fetchPersons(missing.slice(from, from + PAGE))
  }
  holdings.complete()
  return manifest.revision

  async function fetchPersons(ids: string[]): Promise<void> {
    let persons: unknown[]
    try {
      ;({ persons } = await client.request(personsOneByOne, { body: { ids, modelId } }, { signal }))
    } catch (error) {
      if (!(error instanceof ServerRefused) || error.credentials) throw error
      // One of them makes the server refuse: halving finds it without losing the others.
      if (ids.length === 1) return holdings.fail([{ id: ids[0]!, reason: 'notDelivered' }])
      const half = Math.ceil(ids.length / 2)
      await fetchPersons(ids.slice(0, half))
      return fetchPersons(ids.slice(half))
    }
    take(ids, persons, versionsOf(manifest))
  }

  function take(ids: readonly string[], arrived: readonly unknown[], versions: ReadonlyMap<string, number>): void {
    const awaited = new Set(ids)
    const readable: PersonObject[] = []
    const unreadable: { id: string; version?: number; reason: 'personInvalid' }[] = []
    for (const person of arrived) {
      const id = identified.safeParse(person).data?.id
      if (id === undefined || !awaited.delete(id)) continue
      const parsed = personObject.safeParse(person)
      if (parsed.success) readable.push(parsed.data)
      else unreadable.push({ id, version: versions.get(id), reason: 'personInvalid' })
    }
    holdings.put(readable)
    holdings.fail([...unreadable, ...[...awaited].map((id) => ({ id, reason: 'notDelivered' as const }))])
  }
}

const versionsOf = (manifest: Manifest) => new Map(manifest.persons.map(([id, version]) => [id, version]))
