/** The other calls a device makes about a test audience: its manifest, erasures, photographs, and the persons it cannot take. */
import type { FastifyInstance } from 'fastify'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { address, ok } from './answers.ts'
import type { TestAudience } from './audience-types.ts'

export function serveNotices(http: FastifyInstance, audience: TestAudience): void {
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
    const reported = deviceProtocolCalls.exceptions.body.parse(request.body)
    audience.calls.push('exceptions')
    audience.exceptions.push(reported)
    return ok({ taken: reported.exceptions.length })
  })
}
