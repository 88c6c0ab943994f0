/** The way down to devices: what they should hold, what they do hold, and the pages they pull. */
import type {
  ChangedMessage,
  DeviceSettings,
  HeldState,
  Manifest,
  PersonException,
  StrategyObject,
  TimeRuleObject,
} from '@gatehouse/contract/device/protocol'
import { isFaceAlone, type ComparedFaces } from '@gatehouse/access-rules'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import type { DeviceIdentity, DevicePrincipal, Park, Scope } from '../../platform/session/session.ts'
import type { DeviceHolding } from '../devices/index.ts'
import type { Comparing } from '../faces/index.ts'
import * as data from './data.ts'
import { createErasureNotices, type ErasureNotices } from './erasures.ts'
import { createHeldNotes } from './held.ts'
import { comparedAt, manifestOf, partsOfRevision, type DevicePolicy } from './manifest.ts'
import { createPages, type Pages, type PageSources } from './pages.ts'
import { mayHear, type Audience, type Touched } from './register.ts'
import { createRegisters, type Marks } from './registers.ts'
import type { SynchronisationTables } from './schema.ts'
import type { RegisterSources } from './sources.ts'
import type { AudienceState, SynchronisationView } from './view.ts'

export interface SynchronisationNeeds {
  sources: RegisterSources & PageSources
  organisation: { park(scope: Scope): Park; parks(): Park[] }
  policyOf(scope: Scope): DevicePolicy
  /** How a device compares that has this model. */
  comparingAt(scope: Scope, modelId: string | undefined): Comparing
}

/** Settings a record was decided on, as the device held them. */
export interface HeldSettings {
  settings: Omit<DeviceSettings, 'name'>
  strategies: StrategyObject[]
  timeRules: Omit<TimeRuleObject, 'name'>[]
}

/** One device: null on the one side while the register does not have it, on the other before it has said anything. */
export interface Released {
  wanted: (ChangedMessage & { updatedAt: number }) | null
  taken: { audience: string | null; cursor: number; digest: string; revision: string; failed: number; at: number | null } | null
}

export interface SynchronisationService extends Pages {
  readonly view: SynchronisationView
  /** Reads all parks; to be called once events flow. */
  start(): Promise<void>
  stop(): Promise<void>
  mark(scope: Scope, marks: Marks): void
  /** Persons enter before their validity begins and leave after its end. */
  passTime(): void
  /** Makes room in the change log. */
  upkeep(): Promise<void>
  /** @throws NotFound for a device that is not in the register yet, or no more */
  manifest(device: DevicePrincipal): Promise<Manifest>
  /** What the device compares faces with, once it has come to what it should. */
  comparedFaces(device: DeviceIdentity): ComparedFaces
  /** What the device should come to; null for a device the register does not have. */
  current(device: DeviceIdentity): ChangedMessage | null
  noteHeld(device: DeviceIdentity, held: HeldState): void
  noteExceptions(device: DeviceIdentity, cursor: number, exceptions: readonly PersonException[]): Promise<number>
  holdings(scope: Scope, deviceIds: readonly string[]): Promise<Map<string, DeviceHolding>>
  /** What these devices should come to, beside what they last said they came to. */
  released(scope: Scope, deviceIds: readonly string[]): Promise<Map<string, Released>>
  /** Which of these persons a device has surely let go: it said, after the last change, that it holds exactly what it should, and they are not of it. */
  letGo(scope: Scope, deviceId: string, personIds: readonly string[]): Promise<string[]>
  readonly erasures: Omit<ErasureNotices, 'refresh' | 'newest'>
  /** Somebody was erased: the devices of the park are told. */
  tellErasures(scope: Scope): Promise<void>
  /** Gives these persons new numbers, so that devices that could not take them try again. */
  touch(scope: Scope, touched: Touched): void
  settingsOf(scope: Scope, revision: string): Promise<HeldSettings | null>
  /** Called on the node that leads, with every device of the park, after a change. */
  onChanged(listener: (parkId: string, devices: { deviceId: string; code: string; message: ChangedMessage }[]) => void): void
  forgetDevices(scope: Scope, deviceIds: readonly string[]): Promise<void>
  settled(): Promise<void>
  erasePark(tx: OpenTransaction, scope: Scope): Promise<void>
  /** Memory and counts of a park's register. */
  size(scope: Scope): { persons: number; strategies: number; audiences: number; bytes: number }
}

const MINUTE = 60_000
const DAY = 86_400_000
/** A device that was away for longer compares digests. */
const CHANGES_KEPT = 30 * DAY

export function createSynchronisation(
  platform: Platform,
  { sources, organisation, policyOf, comparingAt }: SynchronisationNeeds,
): SynchronisationService {
  const db = platform.db as unknown as Database<SynchronisationTables>
  const registers = createRegisters(platform, sources)
  const pages = createPages(platform, registers, sources)
  const notes = createHeldNotes(platform)
  const erasures = createErasureNotices(platform)
  /** Parts whose content is known to be stored. */
  const stored = new Set<string>()
  let minute: NodeJS.Timeout | undefined

  function namedManifest({ deviceId, parkId }: Pick<DeviceIdentity, 'deviceId' | 'parkId'>) {
    const scope: Scope = { parkId }
    const register = registers.register(scope)
    const device = register.device(deviceId)
    if (device === undefined) return null
    const zone = organisation.park(scope).zone
    return { device, register, ...manifestOf(register, device, zone, policyOf(scope), comparingAt(scope, device.modelId)) }
  }

  function current(device: Pick<DeviceIdentity, 'deviceId' | 'parkId'>): ChangedMessage | null {
    const named = namedManifest(device)
    if (named === null) return null
    const { revision, audience } = named.manifest
    const { head, digest } = named.register.audience(audience)!.published
    return {
      revision,
      audience,
      head,
      digest: digest === '' ? named.register.sumsOf(audience).total() : digest,
      erasure: erasures.newest({ parkId: device.parkId }),
    }
  }

  function stateOf(scope: Scope, deviceId: string): AudienceState | null {
    const register = registers.register(scope)
    const audience = register.audienceOf(deviceId)
    if (audience === undefined) return null
    const { head, compareSeq, updatedAt } = audience.published
    return { id: audience.id, head, compareSeq, updatedAt, strategyIds: audience.strategyIds, persons: register.personCount(audience.id) }
  }

  const passTime = () => organisation.parks().forEach(({ id }) => registers.mark({ parkId: id }, { time: true }))

  return {
    ...pages,
    view: {
      devicesOf: (scope, strategyId) => registers.register(scope).devicesOf(strategyId),
      personsOf: (scope, strategyId) => registers.register(scope).personsOf(strategyId),
      covers: (scope, strategyId, personId) => registers.register(scope).covers(strategyId, personId),
      isCovered: (scope, personId) => registers.register(scope).isCovered(personId),
      audienceOf: stateOf,
      heardBy(device) {
        const audience = stateOf({ parkId: device.parkId }, device.deviceId)
        return audience !== null && mayHear(device, audience) ? audience : null
      },
      holds: (scope, audienceId, personId) => registers.register(scope).holds(audienceId, personId),
      knowsContacts: (scope, audienceId, personId) => registers.register(scope).knowsContacts(audienceId, personId),
      homeOf: (scope, personId) => registers.register(scope).homeOf(personId),
      personsFrom: (scope, home) => registers.register(scope).personsFrom(home),
      homes: (scope) => registers.register(scope).homes(),
      personsOfAudience: (scope, audienceId) => registers.register(scope).personsOfAudience(audienceId),
      doorGroups(scope) {
        const register = registers.register(scope)
        const groups = Map.groupBy(register.devices(), ({ id }) => register.audienceOf(id)?.id ?? '')
        return [...groups].flatMap(([id, devices]) => (id === '' ? [] : [{ id, devices, personIds: register.personsOfAudience(id) }]))
      },
      doorsByFaceAlone(scope) {
        const register = registers.register(scope)
        const methodsAt = ({ strategyIds }: Pick<Audience, 'strategyIds'>) => strategyIds.flatMap((id) => register.strategy(id)!.methods)
        return register.devices().filter(({ id, configuration }) => {
          const accepted = configuration?.verificationMode ?? []
          return methodsAt(register.audienceOf(id)!).some(
            (method) => isFaceAlone(method) && (accepted.length === 0 || (accepted as readonly number[]).includes(method)),
          )
        }).length
      },
    },
    async start() {
      for (const { id } of organisation.parks()) await erasures.refresh({ parkId: id })
      await registers.start(organisation.parks().map(({ id }) => id))
      minute = setInterval(passTime, MINUTE)
      minute.unref()
    },
    async stop() {
      clearInterval(minute)
      await registers.stop()
      await notes.stop()
    },
    comparedFaces({ parkId, deviceId }) {
      const register = registers.register({ parkId })
      const audience = register.audienceOf(deviceId)
      return comparedAt(register, audience?.id ?? '', comparingAt({ parkId }, register.device(deviceId)?.modelId))
    },
    mark: registers.mark,
    passTime,
    async upkeep() {
      for (const { id } of organisation.parks()) {
        const scope: Scope = { parkId: id }
        const now = platform.clock.now()
        await data.deleteOldChanges(scope, db, now - CHANGES_KEPT)
        await data.deleteAudiencesExcept(
          scope,
          db,
          registers
            .register(scope)
            .audiences()
            .map((audience) => audience.id),
          now - DAY,
        )
        // What was published may be older than what was deleted.
        registers.mark(scope, { everything: true })
      }
    },
    async manifest(device) {
      const named = namedManifest(device)
      if (named === null || !mayHear(device, named.register.audience(named.manifest.audience)!)) throw new NotFound()
      const fresh = named.parts.filter(({ part }) => !stored.has(`${device.parkId}/${part}`))
      if (fresh.length > 0) await data.saveSettingsParts({ parkId: device.parkId }, db, fresh, platform.clock.now())
      for (const { part } of fresh) stored.add(`${device.parkId}/${part}`)
      return named.manifest
    },
    current,
    noteHeld: notes.note,
    noteExceptions(device, cursor, exceptions) {
      const register = registers.register({ parkId: device.parkId })
      return notes.noteExceptions(
        device,
        cursor,
        exceptions.filter(({ personId }) => register.knows(personId)),
      )
    },
    async holdings(scope, deviceIds) {
      const register = registers.register(scope)
      const held = new Map((await data.findHoldings(scope, db, deviceIds)).map((holding) => [holding.deviceId, holding]))
      return new Map(
        deviceIds.map((id) => {
          const audience = register.audienceOf(id)
          const { persons = 0, failed = 0, photoMissing = 0 } = held.get(id) ?? {}
          return [
            id,
            {
              personsDesired: audience === undefined ? 0 : register.personCount(audience.id),
              personsHeld: persons,
              personsFailed: failed,
              // It names them a moment before it says how many they are.
              personsWithoutPhoto: Math.min(photoMissing, failed),
            },
          ]
        }),
      )
    },
    async released(scope, deviceIds) {
      const taken = new Map(
        (await data.findTaken(scope, db, deviceIds)).map(({ deviceId, audienceId, heldAt, ...held }) => [
          deviceId,
          { ...held, audience: audienceId, at: heldAt as number | null },
        ]),
      )
      return new Map(
        deviceIds.map((deviceId) => {
          const message = current({ deviceId, parkId: scope.parkId })
          const wanted = message === null ? null : { ...message, updatedAt: stateOf(scope, deviceId)?.updatedAt ?? 0 }
          return [deviceId, { wanted, taken: taken.get(deviceId) ?? null }]
        }),
      )
    },
    async letGo(scope, deviceId, personIds) {
      const [held] = await data.findHoldings(scope, db, [deviceId])
      const register = registers.register(scope)
      const audience = register.audienceOf(deviceId)
      // The digest says whom it holds, the number that it has not said so before it took somebody it has still to let go.
      if (audience === undefined || held?.audienceId !== audience.id || held.cursor < audience.published.head) return []
      if (held.digest !== register.sumsOf(audience.id).total()) return []
      return personIds.filter((id) => !register.holds(audience.id, id))
    },
    erasures,
    async tellErasures(scope) {
      await erasures.refresh(scope)
      registers.mark(scope, {})
    },
    touch: registers.touch,
    async settingsOf(scope, revision) {
      const [objects, settings] = partsOfRevision(revision)
      if (objects === undefined || settings === undefined) return null
      const found = new Map((await data.findSettingsParts(scope, db, [objects, settings])).map(({ part, content }) => [part, content]))
      if (!found.has(objects) || !found.has(settings)) return null
      return {
        ...(found.get(objects) as Pick<HeldSettings, 'strategies' | 'timeRules'>),
        settings: found.get(settings) as HeldSettings['settings'],
      }
    },
    onChanged(listener) {
      registers.onChanged((scope) => {
        if (!platform.events.leading()) return
        const devices = registers.register(scope).devices()
        listener(
          scope.parkId,
          devices.flatMap(({ id, code }) => {
            const message = current({ deviceId: id, parkId: scope.parkId })
            return message === null ? [] : [{ deviceId: id, code, message }]
          }),
        )
      })
    },
    forgetDevices: (scope, deviceIds) => platform.transaction((tx: Tx<SynchronisationTables>) => data.deleteHoldings(scope, tx, deviceIds)),
    async settled() {
      await registers.settled()
      await notes.settled()
    },
    erasePark: (tx, scope) => data.deleteSynchronisationOfPark(scope, tx as Tx<SynchronisationTables>),
    size: (scope) => registers.register(scope).size(),
  }
}
