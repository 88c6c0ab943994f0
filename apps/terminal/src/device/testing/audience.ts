/** One audience of the terminal's test server: its persons, the changes among them, and the calls a device makes about them. */
import type { FastifyInstance } from 'fastify'
import type { Manifest } from '@gatehouse/contract/device/protocol-manifest'
import { versionsOf } from './answers.ts'
import { serveNotices } from './audience-notices.ts'
import { servePersons } from './audience-persons.ts'
import type { AudienceChanges, TestAudience } from './audience-types.ts'
import { digestsOf } from './objects.ts'

export type { Sent, TestAudience } from './audience-types.ts'

/** Serve the calls of the audience. */
export function serveAudience(http: FastifyInstance, first: Manifest): TestAudience {
  const changes: AudienceChanges = { changed: new Map(), head: 0, compareFrom: 0 }
  const audience: TestAudience = {
    manifest: first,
    persons: new Map(),
    put(...persons) {
      for (const person of persons) {
        audience.persons.set(person.id, person)
        changes.changed.set(person.id, ++changes.head)
      }
    },
    remove(...ids) {
      for (const id of ids) {
        audience.persons.delete(id)
        changes.changed.set(id, ++changes.head)
      }
    },
    compareFromHere() {
      changes.compareFrom = ++changes.head
    },
    restore(to) {
      changes.head = to
      for (const [id, seq] of changes.changed) if (seq > to) changes.changed.delete(id)
    },
    page: 500,
    poison: new Set(),
    undelivered: new Set(),
    erasures: null,
    photos: new Map(),
    calls: [],
    sent: [],
    intercept: () => null,
    refusesExceptions: false,
    exceptions: [],
    announcement: () => ({
      revision: audience.manifest.revision,
      audience: audience.manifest.audience,
      head: changes.head,
      digest: digestsOf(versionsOf(audience)).digest,
      ...(audience.erasures !== null && { erasure: audience.erasures.at(-1)?.id ?? null }),
    }),
  }

  servePersons(http, audience, changes)
  serveNotices(http, audience)
  return audience
}
