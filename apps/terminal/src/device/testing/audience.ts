/** One audience of the terminal's test server: its persons, the changes among them, and the calls a device makes about them. */
import type { FastifyInstance } from 'fastify'
import {
  bucketOf,
  deviceProtocolCalls,
  type ChangedMessage,
  type Manifest,
  type PersonException,
} from '@gatehouse/contract/device/protocol'
import { digestsOf } from './objects.ts'

/** A person as the server sends it, which a test may have spoilt. */
export type Sent = { id: string; version: string }

export interface TestAudience {
  manifest: Manifest
  /** Members, by id; use `put` and `remove` to change them. */
  persons: Map<string, Sent>
  put(...persons: Sent[]): void
  remove(...ids: string[]): void
  /** Changes that cannot be told one by one. */
  compareFromHere(): void
  /** Forgets all changes after a number, as a server restored from its backup has. */
  restore(to: number): void
  /** Persons on a page of changes. */
  page: number
  /** Answers about persons with a refusal where one of these is among them. */
  poison: Set<string>
  /** Left out of every answer but the versions. */
  withheld: Set<string>
  /** Erasures under their ids, oldest first; null: the server knows of none, as before there were such things. */
  erasures: { id: string; personId: string }[] | null
  /** Photographs by face. */
  photos: Map<string, Uint8Array>
  /** Calls so far: the part of the path after the audience, such as `changes` or `shelf/0/256`. */
  calls: string[]
  /** Ids of persons sent so far, one for each time. */
  sent: string[]
  /** Asked before each answer; may answer instead. */
  intercept: (call: string) => { status: number } | null
  /** Fails on every report of exceptions. */
  refusesExceptions: boolean
  /** As reported, oldest first. */
  exceptions: { audience: string; cursor: number; exceptions: PersonException[] }[]
  told(): ChangedMessage
}

/** Serves the calls of the audience. */
export function serveAudience(http: FastifyInstance, first: Manifest): TestAudience {
  const changed = new Map<string, number>()
  let head = 0
  let compareFrom = 0
  const ok = (data: unknown) => ({ code: 0, message: '', data })
  const versions = () => [...audience.persons.values()].map(({ id, version }) => [id, version] as const)

  function deliver(persons: readonly Sent[]): unknown[] {
    const sent = persons.filter(({ id }) => !audience.withheld.has(id))
    audience.sent.push(...sent.map(({ id }) => id))
    return sent
  }

  const audience: TestAudience = {
    manifest: first,
    persons: new Map(),
    put(...persons) {
      for (const person of persons) {
        audience.persons.set(person.id, person)
        changed.set(person.id, ++head)
      }
    },
    remove(...ids) {
      for (const id of ids) {
        audience.persons.delete(id)
        changed.set(id, ++head)
      }
    },
    compareFromHere() {
      compareFrom = ++head
    },
    restore(to) {
      head = to
      for (const [id, seq] of changed) if (seq > to) changed.delete(id)
    },
    page: 500,
    poison: new Set(),
    withheld: new Set(),
    erasures: null,
    photos: new Map(),
    calls: [],
    sent: [],
    intercept: () => null,
    refusesExceptions: false,
    exceptions: [],
    told: () => ({
      revision: audience.manifest.revision,
      audience: audience.manifest.audience,
      head,
      digest: digestsOf(versions()).digest,
      ...(audience.erasures !== null && { erasure: audience.erasures.at(-1)?.id ?? null }),
    }),
  }

  interface Asked {
    name: string
    params: { audience: string; first?: string; count?: string }
    query: Record<string, string>
    body: { ids: string[] }
  }
  const answers =
    (name: string, answer: (asked: Asked) => unknown) =>
    async (request: unknown, reply: { code(status: number): { send(body: unknown): unknown } }) => {
      const { params, query, body } = request as Asked
      const path = [name, params.first, params.count].filter((part) => part !== undefined).join('/')
      audience.calls.push(path)
      const instead = audience.intercept(path)
      if (instead) return reply.code(instead.status).send({ code: instead.status, message: 'As the test wants it.' })
      if (params.audience !== audience.manifest.audience) return reply.code(404).send({ code: 404, message: 'No such audience.' })
      return answer({ name, params, query, body })
    }
  const refusal = { code: 900000, message: 'Busy.' }
  const address = (call: { url: string }) => call.url.replaceAll(/\{(\w+)\}/g, ':$1')
  const { changes, digest, versions: versionsCall, shelf, persons } = deviceProtocolCalls
  const own = () => audience.manifest.audience

  http.get(
    address(changes),
    answers('changes', ({ query }) => {
      const after = Number(changes.query.parse(query).after)
      const all = [...changed].filter(([, seq]) => seq > after).sort(([, a], [, b]) => a - b)
      const listed = all.slice(0, audience.page)
      const more = listed.length < all.length
      const members = listed.flatMap(([id]) => audience.persons.get(id) ?? [])
      if (members.some(({ id }) => audience.poison.has(id))) return refusal
      const compare = after < compareFrom
      return ok({
        audience: own(),
        head: more ? listed.at(-1)![1] : head,
        more,
        compare,
        digest: audience.told().digest,
        persons: compare ? [] : deliver(members),
        gone: compare ? [] : listed.map(([id]) => id).filter((id) => !audience.persons.has(id)),
      })
    }),
  )

  http.get(
    address(digest),
    answers('digest', () => ok({ audience: own(), head, persons: audience.persons.size, buckets: digestsOf(versions()).buckets })),
  )

  http.get(
    address(versionsCall),
    answers('versions', ({ query }) => {
      const buckets = new Set(versionsCall.query.parse(query).buckets.split(',').map(Number))
      return ok({ audience: own(), head, versions: versions().filter(([id]) => buckets.has(bucketOf(id))) })
    }),
  )

  http.get(
    address(shelf),
    answers('shelf', ({ params }) => {
      const { first: from, count } = shelf.params.parse(params)
      const on = [...audience.persons.values()].filter(({ id }) => bucketOf(id) >= from && bucketOf(id) < from + count)
      return on.some(({ id }) => audience.poison.has(id)) ? refusal : ok({ audience: own(), head, persons: deliver(on) })
    }),
  )

  http.post(
    address(persons),
    answers('persons', ({ body }) => {
      const { ids } = persons.body.parse(body)
      if (ids.some((id) => audience.poison.has(id))) return refusal
      return ok({ audience: own(), head, persons: deliver(ids.flatMap((id) => audience.persons.get(id) ?? [])) })
    }),
  )

  http.get(deviceProtocolCalls.erasures.url, async (request, reply) => {
    const all = audience.erasures
    if (all === null) return reply.code(404).send({ code: 404, message: 'No such call.' })
    audience.calls.push('erasures')
    const { after } = deviceProtocolCalls.erasures.query.parse(request.query)
    const rest = all.slice(all.findIndex(({ id }) => id === after) + 1)
    const listed = rest.slice(0, audience.page)
    return ok({
      newest: listed.at(-1)?.id ?? all.at(-1)?.id ?? null,
      more: listed.length < rest.length,
      persons: listed.map(({ personId }) => personId),
    })
  })

  http.get(deviceProtocolCalls.manifest.url, async () => {
    audience.calls.push('manifest')
    return ok(audience.manifest)
  })

  http.get(address(deviceProtocolCalls.photo), async (request, reply) => {
    const { id } = request.params as { id: string }
    audience.calls.push(`photo/${id}`)
    const photo = audience.photos.get(id)
    return photo ? reply.type('image/jpeg').send(Buffer.from(photo)) : reply.code(404).send({ code: 404, message: 'No such face.' })
  })

  http.put(deviceProtocolCalls.exceptions.url, async (request, reply) => {
    if (audience.refusesExceptions) return reply.code(500).send({ code: 500, message: 'A fault.' })
    const told = deviceProtocolCalls.exceptions.body.parse(request.body)
    audience.calls.push('exceptions')
    audience.exceptions.push(told)
    return ok({ taken: told.exceptions.length })
  })

  return audience
}
