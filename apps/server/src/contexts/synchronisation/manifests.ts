/** The desired state of devices, and the settings by which records were decided. */
import type { ChangedMessage } from '@gatehouse/contract/device/protocol-status'
import type { DeviceSettings, Manifest, StrategyObject, TimeRuleObject } from '@gatehouse/contract/device/protocol-manifest'
import type { ComparedFaces } from '@gatehouse/access-rules'
import type { Platform } from '../../platform/context.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import type { DeviceIdentity, DevicePrincipal, Park, Scope } from '../../platform/session/session.ts'
import type { Comparing } from '../faces/index.ts'
import { mayReceive } from './audience.ts'
import * as data from './data.ts'
import type { ErasureNotices } from './erasures.ts'
import { comparedAt, manifestOf, partsOfRevision, type DevicePolicy } from './manifest.ts'
import type { Registers } from './registers.ts'

/** Settings by which a record was decided, as the device had them. */
export interface DecisionSettings {
  settings: Omit<DeviceSettings, 'name'>
  strategies: StrategyObject[]
  timeRules: Omit<TimeRuleObject, 'name'>[]
}

export interface ManifestNeeds {
  organisation: { park(scope: Scope): Park }
  policyOf(scope: Scope): DevicePolicy
  /** Return how a device with this model compares. */
  comparingAt(scope: Scope, modelId: string | undefined): Comparing
}

export interface Manifests {
  /** @throws NotFound for a device that is not in the register, or whose release was withdrawn */
  manifest(device: DevicePrincipal): Promise<Manifest>
  /** Return the desired state of the device; null for a device the register does not have. */
  current(device: Pick<DeviceIdentity, 'deviceId' | 'parkId'>): ChangedMessage | null
  /** Return what the device compares faces with, once it has reached its desired state. */
  comparedFaces(device: DeviceIdentity): ComparedFaces
  settingsOf(scope: Scope, revision: string): Promise<DecisionSettings | null>
}

export function createManifests(
  platform: Platform,
  { organisation, policyOf, comparingAt }: ManifestNeeds,
  registers: Pick<Registers, 'register'>,
  erasures: Pick<ErasureNotices, 'newest'>,
): Manifests {
  const db = platform.db
  /** Parts whose content is stored. */
  const stored = new Set<string>()

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

  return {
    current,
    comparedFaces({ parkId, deviceId }) {
      const register = registers.register({ parkId })
      const audience = register.audienceOf(deviceId)
      return comparedAt(register, audience?.id ?? '', comparingAt({ parkId }, register.device(deviceId)?.modelId))
    },
    async manifest(device) {
      const named = namedManifest(device)
      if (named === null || !mayReceive(device, named.register.audience(named.manifest.audience)!)) throw new NotFound()
      const fresh = named.parts.filter(({ part }) => !stored.has(`${device.parkId}/${part}`))
      if (fresh.length > 0) await data.saveSettingsParts({ parkId: device.parkId }, db, fresh, platform.clock.now())
      for (const { part } of fresh) stored.add(`${device.parkId}/${part}`)
      return named.manifest
    },
    async settingsOf(scope, revision) {
      const [objects, settings] = partsOfRevision(revision)
      if (objects === undefined || settings === undefined) return null
      const found = new Map((await data.findSettingsParts(scope, db, [objects, settings])).map(({ part, content }) => [part, content]))
      if (!found.has(objects) || !found.has(settings)) return null
      return {
        ...(found.get(objects) as Pick<DecisionSettings, 'strategies' | 'timeRules'>),
        settings: found.get(settings) as DecisionSettings['settings'],
      }
    },
  }
}
