/** Calls of the terminal's test server that do not concern its audience. */
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { configurationCalls } from '@gatehouse/contract/configuration/calls'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { address, ok } from './answers.ts'
import { DEVICE } from './objects.ts'
import { BROKER, storedOf } from './server-broker.ts'
import type { TestServerParts } from './server-types.ts'

export function serveCalls({ http, mqtt, hasBrokerTls, server }: TestServerParts): void {
  http.post(deviceProtocolCalls.pair.url, async (request) => {
    const { epochs } = deviceProtocolCalls.pair.body.parse(request.body)
    server().paired.push(epochs)
    return ok({
      deviceId: server().deviceId,
      name: DEVICE.name,
      broker: server().broker ?? {
        url: hasBrokerTls ? server().brokerUrl : null,
        port: (mqtt.address() as AddressInfo).port,
        ...BROKER,
      },
      stored: epochs.map((epoch) => ({ epoch, ackSeq: server().claimed.get(epoch) ?? storedOf(server(), epoch) })),
      serverTime: Date.now(),
    })
  })
  http.post(deviceProtocolCalls.removal.url, async (request, reply) => {
    const answer = server().removal?.(deviceProtocolCalls.removal.body.parse(request.body)) ?? null
    return answer === null ? reply.code(404).send({ code: 404, message: 'Not found.' }) : ok(answer)
  })
  http.post(deviceProtocolCalls.verify.url, async (request, reply) => {
    const asked = deviceProtocolCalls.verify.body.parse(request.body)
    server().verifyCalls.push(asked)
    const { verifyAfter } = server()
    if (verifyAfter === null) return reply.code(500).send({ code: 500, message: 'A fault.' })
    await pause(verifyAfter)
    const { verify } = server()
    return ok(typeof verify === 'function' ? verify(asked) : verify)
  })
  http.get(configurationCalls.secrets.url, async () => {
    server().secretsCalls++
    return ok({ ...server().secrets, revision: server().audience.manifest.settings.secretsRevision ?? '' })
  })
  http.post(deviceProtocolCalls.identify.url, async (request) => {
    deviceProtocolCalls.identify.body.parse(request.body)
    server().identifyCalls++
    return ok(server().identify)
  })
  http.post(address(deviceProtocolCalls.picture), async (request) => {
    const { id } = request.params as { id: string }
    server().pictures.set(id, request.body as Uint8Array)
    return ok({ id })
  })
  http.get(address(configurationCalls.deviceFile), async (request, reply) => {
    const { id } = request.params as { id: string }
    server().filesAsked.push(id)
    const file = server().files.get(id)
    return file
      ? reply.type('application/octet-stream').send(Buffer.from(file))
      : reply.code(404).send({ code: 404, message: 'There is no such file.' })
  })
}
