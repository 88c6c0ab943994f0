/** Faults of a device of the fleet, and misfortunes that happen to it; all of them follow from the seed. */
import { createHash } from 'node:crypto'
import type { Embed } from '@gatehouse/terminal/device/synchroniser'
import type { Random } from '@gatehouse/face-engine/portrait/random'
import { createDeviceClock, type DeviceClock } from './clock.ts'
import type { LineQuality } from './line.ts'
import type { SimulatedDevice } from './simulated-device.ts'
import type { SimulatedStoreOptions } from './store.ts'

/** Each fault and what it does, as `--help` says it. */
export const FAULTS = {
  cuts: 'devices lose their power now and then, also in the middle of a write',
  drift: 'clocks are minutes off and gain or lose',
  slow: 'a quarter of the devices have slow lines',
  lossy: 'a quarter of the devices have lines that break',
  offline: 'lines are down now and then, for days by the clock of the device',
  photos: 'a tenth of the devices has another face model and fetches photographs, some of which it cannot use',
  refusals: 'each device cannot take one person in fifty',
  full: 'a tenth of the devices has room for 20 records only',
} as const
export type Fault = keyof typeof FAULTS

/** A model that no server has: its templates are made of photographs. */
const OTHER_MODEL = 'simulated-128-1'
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Most writes that a power cut may undo, where power is cut at all. */
const GATHERED = 8

export interface Traits {
  clock: DeviceClock
  line: LineQuality | undefined
  modelId: string
  embed: Embed | undefined
  store: Pick<SimulatedStoreOptions, 'gathered' | 'recordLimit' | 'refuses'>
}

/** Return the traits of one device. @param modelId of the server */
export function traitsOf(faults: ReadonlySet<Fault>, code: string, modelId: string, random: Random): Traits {
  const has = (fault: Fault, share = 1): boolean => random.chance(share) && faults.has(fault)
  const drifts = has('drift')
  const slow = has('slow', 0.25)
  const lossy = has('lossy', 0.25)
  const photographs = has('photos', 0.1)
  const small = has('full', 0.1)
  const line: LineQuality = {
    ...(slow && { latency: random.between(40, 250), bytesPerSecond: random.between(50_000, 500_000) }),
    ...(lossy && { breaks: () => random.chance(0.005) }),
  }
  const needsLine = slow || lossy || faults.has('cuts') || faults.has('offline')
  return {
    clock: createDeviceClock(drifts ? { offset: random.between(-10, 10) * MINUTE, gain: random.between(-2e-4, 2e-4) } : {}),
    line: needsLine ? line : undefined,
    modelId: photographs ? OTHER_MODEL : modelId,
    embed: photographs ? embedMost : undefined,
    store: {
      gathered: faults.has('cuts') ? GATHERED : 0,
      ...(small && { recordLimit: 20 }),
      ...(faults.has('refusals') && { refuses: (personId: string) => (share(`${code}/${personId}`) < 0.02 ? 'templateInvalid' : null) }),
    },
  }
}

/** Return a number from 0 to below 1 that follows from a text. */
const share = (text: string | Uint8Array): number => createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32

/** Refuse one photograph in twenty as broken; the template of any other is its hash. */
const embedMost: Embed = async (photo) => (share(photo) < 0.05 ? null : createHash('sha512').update(photo).digest('base64'))

export interface Misfortune {
  kind: 'cut' | 'vanished'
  /** Milliseconds until the device is back. */
  lasts: number
}

/** Return what happens to a device in this moment, most often nothing. @param probability of each kind of misfortune */
export function misfortuneOf(faults: ReadonlySet<Fault>, probability: number, random: Random): Misfortune | null {
  if (faults.has('cuts') && random.chance(probability)) return { kind: 'cut', lasts: random.between(300, 3_000) }
  if (faults.has('offline') && random.chance(probability)) return { kind: 'vanished', lasts: random.between(1_000, 6_000) }
  return null
}

/** Make a misfortune happen. @returns a function that ends it */
export function strike(device: SimulatedDevice, { kind, lasts }: Misfortune, random: Random): () => void {
  if (kind === 'vanished') {
    device.lineDown()
    device.clock.liveThrough(random.between(1, 5) * DAY, lasts)
    return () => device.lineUp()
  }
  device.powerCut(random.pick([undefined, 'beforeFlush', 'afterFlush']))
  return () => device.powerOn()
}
