/** Manifests: the settings by which each device decides, named so that a record can cite them years later. */
import { createHash } from 'node:crypto'
import { thresholdAt, type ComparedFaces } from '@gatehouse/access-rules'
import { templatesRoundedUp } from '@gatehouse/contract/faces/promise'
import type { OwnCurve } from '@gatehouse/contract/faces/own-curve'
import type { DeviceSettings, Manifest, StrategyObject, TimeRuleObject } from '@gatehouse/contract/device/protocol-manifest'
import type { Comparing, FacePolicyValues } from '../faces/index.ts'
import type { Audience } from './audience.ts'
import type { ParkRegister } from './register.ts'
import type { DeviceFacts } from './register-facts.ts'

/** A manifest and the two parts its revision names. The parts contain no names, since they are kept for years. */
export interface NamedManifest {
  manifest: Manifest
  parts: { part: string; content: unknown }[]
}

const nameOf = (content: unknown): string => createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 16)

/** Return the two stored parts of a revision. The third stands for the names, which affect no decision and are not stored. */
export const partsOfRevision = (revision: string): string[] => revision.split('.').slice(0, 2)

/** Strategies and rules by which all devices of an audience decide, with hashes of their content and of the names in it. */
interface Objects {
  strategies: StrategyObject[]
  timeRules: TimeRuleObject[]
  part: { part: string; content: unknown }
  names: string
}

/** Objects by audience, shared by all its devices; built again when a strategy or a rule changes. */
const made = new WeakMap<Audience, { revision: number; objects: Objects }>()

function objectsOf(register: ParkRegister, audience: Audience): Objects {
  const cached = made.get(audience)
  if (cached?.revision === register.objectsRevision) return cached.objects
  const strategies = audience.strategyIds.map((id): StrategyObject => {
    const { timeRuleIds, methods, validFrom, validTo, authorisedObject } = register.strategy(id)!
    return { id, timeRuleIds, methods, validFrom, validTo, ...(authorisedObject !== undefined && { authorisedObject }) }
  })
  const ruleIds = [...new Set(strategies.flatMap(({ timeRuleIds }) => timeRuleIds))].toSorted()
  const timeRules = ruleIds.map((id) => register.timeRule(id)).filter((rule): rule is TimeRuleObject => rule !== undefined)
  const content = { strategies, timeRules: timeRules.map(({ name: _, ...rule }) => rule) }
  const objects = { strategies, timeRules, part: { part: nameOf(content), content }, names: nameOf(timeRules.map(({ name }) => name)) }
  made.set(audience, { revision: register.objectsRevision, objects })
  return objects
}

/** The face policy of a park, as far as devices decide by it. */
export type DevicePolicy = Pick<FacePolicyValues, 'promises' | 'margin' | 'lookAlikeMargin' | 'liveness' | 'livenessThreshold'>

/** Highest threshold within protocol and scale: at 100, devices of a former version accept only the very same picture. */
const HIGHEST = 99

/** Return the zone at a fixed offset, in minutes east of UTC: `+08:00`. */
export function zoneOfOffset(minutes: number): string {
  const two = (value: number): string => String(value).padStart(2, '0')
  const distance = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(distance / 60))}:${two(distance % 60)}`
}

/** Return the settings that apply at a device: its own override the park's policy and zone. */
function nearest(
  { configuration }: DeviceFacts,
  zone: string,
  policy: DevicePolicy,
  compared: ComparedFaces,
  curve: OwnCurve | null,
): Pick<DeviceSettings, 'zone' | 'threshold' | 'promise' | 'liveness'> {
  const { threshold = null, livenessSwitch = 0, timeZone = null } = configuration ?? {}
  // Without a score to require, a door that refuses would refuse everybody.
  const refuses = livenessSwitch === 1 && policy.livenessThreshold !== null
  return {
    zone: timeZone === null ? zone : zoneOfOffset(timeZone),
    ...(threshold === null ? promised(policy, compared, curve) : { threshold }),
    liveness: refuses ? { refuses: true, threshold: policy.livenessThreshold } : policy.liveness,
  }
}

/** Return what devices of an audience compare a face with, given how their model compares. */
export const comparedAt = (register: ParkRegister, audienceId: string, { joins, loosest }: Comparing): ComparedFaces => ({
  templates: register.templateCount(audienceId, joins),
  loosest,
})

/** Return the promise, and for devices that do not know promises a threshold that keeps it for at least as many templates as are stored. */
function promised(
  { promises }: DevicePolicy,
  { templates, loosest }: ComparedFaces,
  curve: OwnCurve | null,
): Pick<DeviceSettings, 'threshold' | 'promise'> {
  const promise = { strangersPerThousand: promises.strangersPerThousand, ...(curve !== null && { curve }) }
  const safe = thresholdAt({ promise, threshold: HIGHEST }, { templates: templatesRoundedUp(templates), loosest })
  // Rounded up to one decimal, since the threshold is part of what names these settings.
  return { threshold: Math.min(HIGHEST, Math.ceil(10 * safe) / 10), promise }
}

/**
 * Return the manifest of a device from the current register.
 * @param comparing how the model of the device compares
 */
export function manifestOf(
  register: ParkRegister,
  device: DeviceFacts,
  zone: string,
  policy: DevicePolicy,
  comparing: Comparing,
): NamedManifest {
  const audience = register.audienceOf(device.id)!
  const objects = objectsOf(register, audience)
  const decided = nearest(device, zone, policy, comparedAt(register, audience.id, comparing), comparing.curveOf(device.id))
  const settings: DeviceSettings = {
    deviceId: device.id,
    name: device.name,
    direction: device.direction,
    zone: decided.zone,
    threshold: decided.threshold,
    ...(decided.promise !== undefined && { promise: decided.promise }),
    secondVerification: device.secondVerification ?? null,
    factorTimeoutMs: 10_000,
    margin: policy.margin,
    lookAlikeMargin: policy.lookAlikeMargin,
    liveness: decided.liveness,
    // Only if something is set: all other devices keep the revision they had.
    ...(device.configuration && { configuration: device.configuration }),
    ...(device.secretsRevision && { secretsRevision: device.secretsRevision }),
    ...(device.passKeys && { passKeys: device.passKeys }),
    ...(device.visitorMachine && { visitorMachine: device.visitorMachine }),
  }
  const { name, ...content } = settings
  const own = { part: nameOf(content), content }
  const names = nameOf([name, objects.names]).slice(0, 8)
  return {
    manifest: {
      revision: `${objects.part.part}.${own.part}.${names}`,
      audience: audience.id,
      settings,
      strategies: objects.strategies,
      timeRules: objects.timeRules,
    },
    parts: [objects.part, own],
  }
}
