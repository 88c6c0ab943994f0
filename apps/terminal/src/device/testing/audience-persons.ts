/** The calls by which a device takes the persons of a test audience. */
import type { FastifyInstance } from 'fastify'
import { bucketOf } from '@gatehouse/contract/device/protocol'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { address, ok, versionsOf } from './answers.ts'
import type { AudienceChanges, Sent, TestAudience } from './audience-types.ts'
import { digestsOf } from './objects.ts'

interface Asked {
  name: string
  params: { audience: string; first?: string; count?: string }
  query: Record<string, string>
  body: { ids: string[] }
}

export function servePersons(http: FastifyInstance, audience: TestAudience, changes: AudienceChanges): void {
  function deliver(persons: readonly Sent[]): unknown[] {
    const sent = persons.filter(({ id }) => !audience.undelivered.has(id))
    audience.sent.push(...sent.map(({ id }) => id))
    return sent
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
  const { changes: changesCall, digest, versions: versionsCall, shelf, persons } = deviceProtocolCalls
  const own = () => audience.manifest.audience

  http.get(
    address(changesCall),
    answers('changes', ({ query }) => {
      const after = Number(changesCall.query.parse(query).after)
      const all = [...changes.changed].filter(([, seq]) => seq > after).sort(([, a], [, b]) => a - b)
      const listed = all.slice(0, audience.page)
      const more = listed.length < all.length
      const members = listed.flatMap(([id]) => audience.persons.get(id) ?? [])
      if (members.some(({ id }) => audience.poison.has(id))) return refusal
      const compare = after < changes.compareFrom
      return ok({
        audience: own(),
        head: more ? listed.at(-1)![1] : changes.head,
        more,
        compare,
        digest: audience.announcement().digest,
        persons: compare ? [] : deliver(members),
        gone: compare ? [] : listed.map(([id]) => id).filter((id) => !audience.persons.has(id)),
      })
    }),
  )

  http.get(
    address(digest),
    answers('digest', () =>
      ok({ audience: own(), head: changes.head, persons: audience.persons.size, buckets: digestsOf(versionsOf(audience)).buckets }),
    ),
  )

  http.get(
    address(versionsCall),
    answers('versions', ({ query }) => {
      const buckets = new Set(versionsCall.query.parse(query).buckets.split(',').map(Number))
      return ok({ audience: own(), head: changes.head, versions: versionsOf(audience).filter(([id]) => buckets.has(bucketOf(id))) })
    }),
  )

  http.get(
    address(shelf),
    answers('shelf', ({ params }) => {
      const { first: from, count } = shelf.params.parse(params)
      const on = [...audience.persons.values()].filter(({ id }) => bucketOf(id) >= from && bucketOf(id) < from + count)
      return on.some(({ id }) => audience.poison.has(id)) ? refusal : ok({ audience: own(), head: changes.head, persons: deliver(on) })
    }),
  )

  http.post(
    address(persons),
    answers('persons', ({ body }) => {
      const { ids } = persons.body.parse(body)
      if (ids.some((id) => audience.poison.has(id))) return refusal
      return ok({ audience: own(), head: changes.head, persons: deliver(ids.flatMap((id) => audience.persons.get(id) ?? [])) })
    }),
  )
}
