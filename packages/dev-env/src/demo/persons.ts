/** Registration of the people of the demo campus. */
import { setTimeout as delay } from 'node:timers/promises'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import { peopleCalls } from '@gatehouse/contract/people/calls'
import type { Person } from '@gatehouse/contract/people/person'
import { CallRefused } from '../client.ts'
import type { Maker } from './maker.ts'
import type { Painter } from './painter.ts'
import type { DemoPerson } from './roster.ts'

const BUSY = 900000
const PAGE = 100

/** Return the persons with these ids, by work number. */
export async function personsOf(maker: Maker, ids: ReadonlySet<string>): Promise<Map<string, Person>> {
  const persons = new Map<string, Person>()
  for (let page = 1; ; page++) {
    const { content, total } = await maker.call(peopleCalls.list, { query: { page, size: PAGE } })
    for (const person of content) if (ids.has(person.id)) persons.set(person.workNumber, person)
    if (page * PAGE >= total) return persons
  }
}

/** Register a person with a drawn portrait, and disable those who are to be. @param found the person as an earlier start has left them */
export async function makePerson(
  maker: Maker,
  person: DemoPerson,
  groupId: string,
  found: Person | undefined,
  painter: Pick<Painter, 'portrait'>,
  signal: AbortSignal,
): Promise<void> {
  const { workNumber, name, gender, phone, validFrom, validTo, sex, face } = person
  let id = found?.id
  if (id === undefined) {
    const facePhotos = person.hasPhoto ? [await cachedPortrait(maker, await painter.portrait({ face, gender: sex }), signal)] : []
    const body = { workNumber, name, gender: gender as 1 | 2 | 3, phone, validFrom, validTo, groupId, facePhotos }
    ;({ id } = await maker.call(peopleCalls.create, { body }, signal))
  }
  if (person.disabled) await maker.call(peopleCalls.status, { body: { ids: [id], status: 0 } }, signal)
}

/**
 * Upload a portrait, and wait while the engine has more photographs than it can take: those of people who use the campus go first. An
 * upload under way is not aborted: `fetch` of an aborted form leaves a rejection that nobody can catch.
 */
async function cachedPortrait(maker: Maker, file: Uint8Array, signal: AbortSignal): Promise<string> {
  for (;;) {
    try {
      return (await maker.call(faceCalls.cache, { body: {}, file })).faceId
    } catch (error) {
      if (!(error instanceof CallRefused) || error.code !== BUSY) throw error
      await delay(1_000, undefined, { signal })
    }
  }
}
