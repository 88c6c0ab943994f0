/** The calls of terminals over HTTP. */
import { PROTOCOL_VERSION } from '@gatehouse/contract/device/protocol'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { failReason } from '@gatehouse/contract/enums'
import type { DevicesService } from '../contexts/devices/index.ts'
import type { FaceOwner, FacesService } from '../contexts/faces/index.ts'
import type { PeopleService } from '../contexts/people/index.ts'
import type { RecordsContext } from '../contexts/records/index.ts'
import type { SynchronisationService } from '../contexts/synchronisation/index.ts'
import type { DeviceChannel } from '../platform/broker/channel.ts'
import { handler, type MountedCall, type Platform } from '../platform/context.ts'
import { InvalidRequest, NotFound } from '../platform/http/refusal.ts'
import type { DevicePrincipal, Scope } from '../platform/session/session.ts'

export interface GatewayCallNeeds {
  synchronisation: SynchronisationService
  records: Pick<RecordsContext, 'ackSeq' | 'verify' | 'records'>
  devices: DevicesService
  faces: FacesService
  people: PeopleService
  channel(): DeviceChannel
}

export function gatewayHandlers(platform: Platform, needs: GatewayCallNeeds): MountedCall[] {
  const { synchronisation, records, devices, faces, people } = needs
  const { pair, manifest, changes, digest, versions, shelf, persons, erasures, photo, exceptions, identify, verify, picture } =
    deviceProtocolCalls
  /** Return whether devices of an audience store the face: that of its person, or of a contact who may pass in the person's place. */
  async function hasFace(scope: Scope, audienceId: string, { personId, contactId }: FaceOwner): Promise<boolean> {
    if (personId !== null) return synchronisation.view.holds(scope, audienceId, personId)
    const contact = contactId === null ? undefined : (await people.contactsNamed(scope, [contactId])).get(contactId)
    return contact !== undefined && synchronisation.view.knowsContacts(scope, audienceId, contact.personId)
  }

  /** Return a page of persons, after recording that the device fetches persons, if this is the first time. */
  async function afterNoting<T>(device: DevicePrincipal, answer: Promise<T>): Promise<T> {
    const page = await answer
    await devices.noteFetched(device, synchronisation.view.audienceReceivedBy(device)?.persons ?? 0)
    return page
  }

  return [
    handler(pair, async ({ device, scope, body, ip, host }) => {
      if (body.protocol !== PROTOCOL_VERSION) {
        await devices.pairing.refused(scope, device.deviceId)
        throw new InvalidRequest([{ path: 'protocol', rule: 'oneOf', params: { values: String(PROTOCOL_VERSION) } }])
      }
      await devices.noteStatus(scope, device.deviceId, {
        authorised: true,
        firmwareVersion: body.version,
        modelId: body.modelId,
        ip,
        signedInBy: device.signedInBy,
      })
      const [facts] = await devices.facts(scope, [device.deviceId])
      return {
        deviceId: device.deviceId,
        name: facts?.name ?? device.code,
        broker: await needs
          .channel()
          .admit(device, { hostname: URL.parse(`http://${host}`)?.hostname ?? 'localhost', signedInBy: device.signedInBy }),
        stored: await Promise.all(body.epochs.map(async (epoch) => ({ epoch, ackSeq: await records.ackSeq(device.deviceId, epoch) }))),
        serverTime: platform.clock.now(),
        ...(body.sealingKey !== undefined && { credentialsKey: await synchronisation.credentialsKey(device, body.sealingKey) }),
      }
    }),
    handler(manifest, ({ device }) => synchronisation.manifest(device)),
    handler(changes, ({ device, params, query }) =>
      afterNoting(device, synchronisation.changes(device, params.audience, query.after, query)),
    ),
    handler(digest, ({ device, params }) => synchronisation.digest(device, params.audience)),
    handler(versions, ({ device, params, query }) =>
      synchronisation.versions(device, params.audience, query.buckets.split(',').map(Number)),
    ),
    handler(shelf, ({ device, params, query }) =>
      afterNoting(device, synchronisation.shelf(device, params.audience, params.first, params.count, query)),
    ),
    handler(persons, ({ device, params, body }) => afterNoting(device, synchronisation.persons(device, params.audience, body.ids, body))),
    handler(erasures, ({ device, query }) => synchronisation.erasures.page(device, query.after ?? null)),
    handler(photo, async ({ device, scope, params }) => {
      const found = await faces.photo(scope, params.id)
      const audience = synchronisation.view.audienceReceivedBy(device)
      if (found === null || audience === null || !(await hasFace(scope, audience.id, found))) throw new NotFound()
      return { bytes: found.bytes, contentType: 'image/webp' }
    }),
    handler(exceptions, async ({ device, body }) => ({
      taken: await synchronisation.noteExceptions(device, body.cursor, body.exceptions),
    })),
    handler(identify, async ({ device, scope, body }) => {
      const unknown = { personId: null, personName: '', score: null, failReason: failReason.notRegistered }
      // A device that may not receive persons must not learn who a face belongs to.
      if (!device.released) return unknown
      const [nearest, next] = await faces.search(scope, body.modelId, Buffer.from(body.template, 'base64'), { limit: 2 })
      if (nearest === undefined) return unknown
      const [[person], matching] = await Promise.all([
        people.facts(scope, [nearest.personId]),
        faces.matching.of(scope, [nearest.personId]),
      ])
      const own = matching.get(nearest.personId) ?? null
      const score = faces.scoreOf(nearest.distance)
      if (!(await faces.reaches(scope, own, nearest)) || !faces.leads(scope, own, nearest, next)) return unknown
      // A person on the watch list is never identified to a terminal.
      if (person === undefined || person.kind === 'special') return unknown
      return {
        personId: person.id,
        personName: person.name,
        score,
        failReason: person.active ? failReason.noAccessStrategy : failReason.personReturned,
      }
    }),
    handler(verify, ({ device, body, signal }) => records.verify(device, body, () => signal.aborted)),
    handler(picture, async ({ device, scope, params, file }) => {
      if (file === null) throw new InvalidRequest([{ path: 'file', rule: 'required' }])
      await records.records.attachPicture(scope, device, params.id, file.bytes)
      return { id: params.id }
    }),
  ]
}
