/** Manifests: what each device decides by, named so that a record can cite it years later. */
import { createHash } from 'node:crypto'
import type { DeviceSettings, Manifest, StrategyObject, TimeRuleObject } from '@gatehouse/contract/device/protocol'
import type { DeviceFacts, ParkRegister } from './register.ts'

/** Manifest and the two parts its revision names; both without names, since they are kept for years. */
export interface NamedManifest {
  manifest: Manifest
  parts: { part: string; content: unknown }[]
}

const nameOf = (content: unknown): string => createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 16)

/** The parts a revision is made of. The third stands for the names, which nothing is decided by and nobody keeps. */
export const partsOfRevision = (revision: string): string[] => revision.split('.').slice(0, 2)

/** The manifest of a device as the register stands. */
export function manifestOf(register: ParkRegister, device: DeviceFacts, zone: string, threshold: number): NamedManifest {
  const audience = register.audienceOf(device.id)!
  const strategies = audience.strategyIds.map((id): StrategyObject => {
    const { timeRuleIds, methods, validFrom, validTo } = register.strategy(id)!
    return { id, timeRuleIds, methods, validFrom, validTo }
  })
  const ruleIds = [...new Set(strategies.flatMap(({ timeRuleIds }) => timeRuleIds))].toSorted()
  const timeRules = ruleIds.map((id) => register.timeRules.get(id)).filter((rule): rule is TimeRuleObject => rule !== undefined)
  const settings: DeviceSettings = { deviceId: device.id, name: device.name, direction: device.direction, zone, threshold, secondVerification: null, factorTimeoutMs: 10_000 }
  const objectsContent = { strategies, timeRules: timeRules.map(({ name: _, ...rule }) => rule) }
  const { name: _, ...settingsContent } = settings
  const objects = { part: nameOf(objectsContent), content: objectsContent }
  const own = { part: nameOf(settingsContent), content: settingsContent }
  const names = nameOf([device.name, timeRules.map(({ name }) => name)]).slice(0, 8)
  return {
    manifest: { revision: `${objects.part}.${own.part}.${names}`, audience: audience.id, settings, strategies, timeRules },
    parts: [objects, own],
  }
}
