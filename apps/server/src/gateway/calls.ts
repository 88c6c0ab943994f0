/** What terminals ask over HTTP. */
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol'
import { failReason } from '@gatehouse/contract/enums'
import { handler, type MountedCall, type Platform } from '../platform/context.ts'
import { InvalidRequest } from '../platform/refusal.ts'
import { manifestOf, personsFor, type ManifestSources } from './manifest.ts'

export interface BrokerAddress {
  port: number
  url: string | null
}

export interface GatewayCallNeeds extends ManifestSources {
  /** A distance of the engine as a score, 0 to 100. */
  scoreOf(distance: number): number
  broker(): BrokerAddress
}

export function gatewayHandlers(platform: Platform, needs: GatewayCallNeeds): MountedCall[] {
  return [
    handler(deviceProtocolCalls.pair, async ({ device, scope, body, ip }) => {
      const { port, url } = needs.broker()
      await needs.devices.noteStatus(scope, device.deviceId, { paired: true, firmwareVersion: body.version, modelId: body.modelId, ip })
      const [facts] = await needs.devices.facts(scope, [device.deviceId])
      return {
        deviceId: device.deviceId,
        name: facts?.name ?? device.code,
        mqttPort: port,
        mqttUrl: url,
        ackSeq: await needs.access.ackSeq(device.deviceId, body.epoch),
        serverTime: platform.clock.now(),
      }
    }),
    handler(deviceProtocolCalls.manifest, ({ device }) => manifestOf(needs, device)),
    handler(deviceProtocolCalls.persons, async ({ device, body }) => ({ persons: await personsFor(needs, device, body.ids, body.modelId) })),
    handler(deviceProtocolCalls.identify, async ({ scope, body }) => {
      const unknown = { personId: null, personName: '', score: null, failReason: failReason.notRegistered }
      const [nearest] = needs.faces.search(scope, body.modelId, Buffer.from(body.template, 'base64'), 1)
      const score = nearest === undefined ? 0 : needs.scoreOf(nearest.distance)
      if (nearest === undefined || score < needs.threshold) return unknown
      const [person] = await needs.people.facts(scope, [nearest.personId])
      if (person === undefined) return unknown
      return { personId: person.id, personName: person.name, score, failReason: person.active ? failReason.noAccessStrategy : failReason.personReturned }
    }),
    handler(deviceProtocolCalls.picture, async ({ device, scope, params, file }) => {
      if (file === null) throw new InvalidRequest([{ path: 'file', rule: 'required' }])
      await needs.access.attachPicture(scope, device, params.id, file.bytes)
      return { id: params.id }
    }),
  ]
}
