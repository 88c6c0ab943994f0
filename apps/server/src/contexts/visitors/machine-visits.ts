/** What visitor machines keep of the visits of their park: the difference to what they have. */
import { createHash } from 'node:crypto'
import {
  MACHINE_VISITS_MAX,
  MACHINE_VISITS_PER_PAGE,
  type MachineVisit,
  type visitorMachineCalls,
} from '@gatehouse/contract/device/visitor-machine'
import type { DataOf, OutputOf } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import { NotFound, Refusal } from '../../platform/http/refusal.ts'
import type { DevicePrincipal, Scope } from '../../platform/session/session.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import type { StoredVisit } from './form-types.ts'
import { findMachineVisits } from './machine-data.ts'
import type { Machines } from './machines.ts'
import { statusOf } from './policy.ts'
import type { StoredVisits } from './stored-visits.ts'
import { findVisits } from './visits-data.ts'

type Calls = typeof visitorMachineCalls

export interface MachineVisits {
  /** @throws NotFound for a device that is no visitor machine, or is not released */
  changes(device: DevicePrincipal, kept: OutputOf<Calls['visits']['body']>): Promise<DataOf<Calls['visits']>>
}

/** Photos that are analysed for one answer, at most: whoever waits for it asks again. */
const ANALYSED_PER_ANSWER = 10
/** Milliseconds after which templates are forgotten that no machine asks for: what was erased meanwhile must not stay in memory. */
const REMEMBERED_MS = 10 * 60_000
/** Bytes of a version, so that it is a safe integer. */
const VERSION_BYTES = 6

/** A visit that machines keep, as far as its version is made of it. */
type KeptVisit = Awaited<ReturnType<typeof findMachineVisits>>[number]

/** Return the number of the state of a visit. Hosts are forgotten, and passes renewed, without a new version of the row. */
const versionOf = ({ version, hostName, passId }: Pick<KeptVisit, 'version' | 'hostName' | 'passId'>, modelId: string): number =>
  createHash('sha256')
    .update(JSON.stringify([version, hostName, passId, modelId]))
    .digest()
    .readUIntBE(0, VERSION_BYTES)

export function createMachineVisits(
  { db, clock, storage }: Pick<Platform, 'db' | 'clock' | 'storage'>,
  { faces, devices }: Pick<VisitorsDependencies, 'faces' | 'devices'>,
  machines: Pick<Machines, 'assertMachine'>,
  visits: StoredVisits,
): MachineVisits {
  /**
   * Templates of photos whose visitors are no persons, by park and file, as long as machines keep the visit and ask; null: none was found.
   */
  const analysed = new Map<string, { templates: Map<string, string | null>; ending: NodeJS.Timeout }>()

  /** Return the templates of photos of a park, without those that no machine keeps any more. */
  function analysedOf({ parkId }: Scope, current: readonly { photoFileId: string | null }[]): Map<string, string | null> {
    const { templates = new Map<string, string | null>(), ending } = analysed.get(parkId) ?? {}
    clearTimeout(ending)
    const files = new Set(current.map(({ photoFileId }) => photoFileId))
    for (const fileId of templates.keys()) if (!files.has(fileId)) templates.delete(fileId)
    analysed.set(parkId, { templates, ending: setTimeout(() => analysed.delete(parkId), REMEMBERED_MS).unref() })
    return templates
  }

  /** Return the template of a photo by the running model; null where the engine finds none. */
  async function analyse(scope: Scope, fileId: string): Promise<string | null> {
    const bytes = await storage.load(scope, fileId, 'full')
    if (bytes === null) return null
    try {
      const { embedding } = await faces.probe(bytes, { asAtDoor: true })
      return Buffer.from(embedding.buffer, embedding.byteOffset, embedding.byteLength).toString('base64')
    } catch (error) {
      if (error instanceof Refusal) return null
      throw error
    }
  }

  /** Return what gives the templates of visits; undefined where the photo would have to be analysed and enough were for this answer. */
  async function templatesFor(scope: Scope, stored: readonly StoredVisit[], modelId: string, cache: Map<string, string | null>) {
    const personIds = stored.flatMap(({ row }) => row.personId ?? [])
    const [photos, templates] = await Promise.all([faces.storedFacesOf(scope, personIds), faces.templatesOf(scope, personIds, modelId)])
    let room = ANALYSED_PER_ANSWER
    return async ({ row: { personId, photoFileId } }: StoredVisit): Promise<string | null | undefined> => {
      const faceIds = personId === null ? [] : (photos.get(personId)?.faceIds ?? [])
      const [own] = faceIds.flatMap((faceId) => templates.get(faceId) ?? [])
      if (own !== undefined) return own.toString('base64')
      if (photoFileId === null || modelId !== faces.modelId) return null
      const cached = cache.get(photoFileId)
      if (cached !== undefined) return cached
      if (room-- === 0) return undefined
      const template = await analyse(scope, photoFileId)
      cache.set(photoFileId, template)
      return template
    }
  }

  const shown = ({ row, details }: StoredVisit, passId: string | null, modelId: string, template: string | null): MachineVisit => ({
    id: row.id,
    version: versionOf({ ...row, passId }, modelId),
    status: statusOf(row),
    name: row.name,
    phone: details.phone,
    personId: row.personId,
    passId,
    hostName: row.hostName,
    reason: row.reason as MachineVisit['reason'],
    visitorNumber: row.visitorNumber,
    visitTime: row.visitAt,
    authorisationExpiry: row.expiresAt,
    template,
  })

  return {
    async changes(device, { modelId, known }) {
      machines.assertMachine(device)
      if (!device.released) throw new NotFound()
      const scope = { parkId: device.parkId }
      const current = await findMachineVisits(scope, db, clock.now(), MACHINE_VISITS_MAX)
      const kept = new Map(known)
      const changed = current.filter((row) => kept.get(row.id) !== versionOf(row, modelId)).map(({ id }) => id)
      const currentIds = new Set(current.map(({ id }) => id))
      const passIds = new Map(current.map(({ id, passId }) => [id, passId]))
      const deleted = [...kept.keys()].filter((id) => !currentIds.has(id))
      const page = changed.slice(0, MACHINE_VISITS_PER_PAGE)
      const byId = new Map((await visits.open(scope, await findVisits(scope, db, page))).map((visit) => [visit.row.id, visit]))
      const templateOf = await templatesFor(scope, [...byId.values()], modelId, analysedOf(scope, current))
      const answered: MachineVisit[] = []
      let passed = 0
      for (const id of page) {
        const visit = byId.get(id)
        // One that was deleted meanwhile is gone when the machine asks again.
        const template = visit && (await templateOf(visit))
        if (visit !== undefined && template === undefined) break
        passed++
        if (visit !== undefined) answered.push(shown(visit, passIds.get(id) ?? null, modelId, template!))
      }
      await devices.noteFetched(device, answered.length)
      return { visits: answered, gone: deleted, more: passed < changed.length }
    },
  }
}
