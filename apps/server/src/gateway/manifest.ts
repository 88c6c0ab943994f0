/** What a device should hold, put together from the contexts that own it. */
import { createHash } from 'node:crypto'
import type { Manifest, PersonObject } from '@gatehouse/contract/device/protocol'
import type { AccessService } from '../contexts/access/index.ts'
import type { DevicesService } from '../contexts/devices/index.ts'
import type { FacesService } from '../contexts/faces/index.ts'
import type { OrganisationService } from '../contexts/organisation/index.ts'
import type { PeopleService } from '../contexts/people/index.ts'
import type { DevicePrincipal, Scope } from '../platform/session.ts'

export interface ManifestSources {
  access: AccessService
  devices: DevicesService
  faces: FacesService
  organisation: OrganisationService
  people: PeopleService
  /** Lowest score at which a face counts as recognised. */
  threshold: number
}

const revisionOf = (content: unknown): string => createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 16)

/** The device's manifest; equal content has an equal revision. */
export async function manifestOf(sources: ManifestSources, device: DevicePrincipal): Promise<Manifest> {
  const scope: Scope = { parkId: device.parkId }
  const [facts] = await sources.devices.facts(scope, [device.deviceId])
  if (facts === undefined) throw new Error(`device ${device.deviceId} is gone`)
  const { strategies, timeRules, persons } = await sources.access.entitlements(scope, facts)
  const versions = await sources.people.facts(scope, [...persons.keys()])
  const content = {
    settings: { deviceId: facts.id, name: facts.name, direction: facts.direction, zone: sources.organisation.park(scope).zone, threshold: sources.threshold },
    strategies,
    timeRules,
    persons: versions.map((person): [string, number, number[]] => [person.id, person.version, persons.get(person.id) ?? []]).sort((a, b) => (a[0] < b[0] ? -1 : 1)),
  }
  return { revision: revisionOf(content), ...content }
}

/** Persons as a terminal keeps them, without those the device is not entitled to. */
export async function personsFor(sources: ManifestSources, device: DevicePrincipal, ids: readonly string[], modelId: string): Promise<PersonObject[]> {
  const scope: Scope = { parkId: device.parkId }
  const [facts] = await sources.devices.facts(scope, [device.deviceId])
  if (facts === undefined) return []
  const { persons: entitled } = await sources.access.entitlements(scope, facts)
  const wanted = ids.filter((id) => entitled.has(id))
  const [persons, templates] = await Promise.all([sources.people.facts(scope, wanted), sources.faces.templatesOf(scope, wanted)])
  return persons.map((person) => ({
    id: person.id,
    version: person.version,
    name: person.name,
    workNumber: person.workNumber ?? '',
    enabled: person.enabled,
    validFrom: person.validFrom as number | null,
    validTo: person.validTo as number | null,
    faces: (templates.get(person.id) ?? [])
      .filter((face) => face.modelId === modelId)
      .map((face) => ({ faceId: face.faceId, modelId: face.modelId, template: face.template.toString('base64') })),
  }))
}
