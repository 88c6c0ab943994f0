/** The current day of the demo campus: each approach is sent at its moment. */
import { setTimeout as delay } from 'node:timers/promises'
import { accessResult } from '@gatehouse/contract/enums'
import type { DemoDevice } from './campus.ts'
import { sightOf, type Painter } from './painter.ts'
import { approachesFrom, type Approach } from './passages.ts'
import type { Pictures } from './pictures.ts'
import type { DemoPerson } from './roster.ts'
import type { SimulatedDevice } from './simulated-device.ts'
import { recordOf, type Verdicts } from './verdicts.ts'

const DAY = 86_400_000
/** Age up to which records of ordinary passages have a picture. */
const PICTURED_MS = DAY
/** The same for strangers and refusals, which are what people look at. */
export const REFUSED_PICTURED_MS = 7 * DAY
/** Longest sleep, so that a changed clock or a suspended machine is noticed within it. */
const SLEEP_MS = 60_000
/** Age from which an approach counts as missed: its record is sent at once, and its picture later. */
const MISSED_MS = 30_000

/** Return whether a record of this moment has a picture. */
export const isPictured = (moment: number, isRefused: boolean, now: number): boolean =>
  moment > now - (isRefused ? REFUSED_PICTURED_MS : PICTURED_MS)

export interface DayOptions {
  /** Seed of who comes when. */
  seed: string
  roster: readonly DemoPerson[]
  direction: DemoDevice['direction']
  /** The last moment up to which everything has been sent. */
  after: number
  verdicts: Verdicts
  clock: { now(): number }
  painter: Pick<Painter, 'paint'>
  pictures: Pick<Pictures, 'add'>
  /** Ends the day. */
  signal: AbortSignal
}

/** Send the records of one device until the signal aborts or the device is lost. @returns why the device was lost; null where it was not */
export async function liveAt(device: SimulatedDevice, options: DayOptions): Promise<string | null> {
  const over = new AbortController()
  const reason = device.lost.then((why) => {
    over.abort()
    return why
  })
  const signal = AbortSignal.any([options.signal, over.signal])
  const faces = new Map(options.roster.map((person) => [person.workNumber, person]))
  try {
    // Night shifts that began the day before are still under way.
    for (const approach of approachesFrom(options.direction, options.seed, options.roster, options.after - 2 * DAY)) {
      if (approach.moment <= options.after) continue
      await reached(approach.moment, options.clock, signal)
      await pass(device, approach, sightOf(approach, faces.get(approach.workNumber ?? '')), options)
      signal.throwIfAborted()
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
  return options.signal.aborted ? null : await reason
}

/** Resolve at a moment of a clock, even if the clock is changed meanwhile. */
async function reached(moment: number, clock: { now(): number }, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const left = moment - clock.now()
    if (left <= 0) return
    await delay(Math.min(left, SLEEP_MS), undefined, { signal })
  }
}

async function pass(
  device: SimulatedDevice,
  approach: Approach,
  sight: ReturnType<typeof sightOf>,
  { verdicts, clock, painter, pictures }: DayOptions,
): Promise<void> {
  const now = clock.now()
  const record = recordOf(approach, verdicts)
  if (record === null) return
  const hasPicture = isPictured(approach.moment, record.result === accessResult.rejected, now)
  if (!hasPicture || now - approach.moment > MISSED_MS) {
    const id = device.append({ ...record, hasPicture })
    const send = (picture: Uint8Array): Promise<void> => device.addPicture(id, picture)
    if (hasPicture) pictures.add([{ moment: approach.moment, sight, send }])
    return
  }
  // Drawn first, so that it follows its record at once.
  const picture = await painter.paint(sight).catch(() => null)
  const id = device.append({ ...record, hasPicture: picture !== null })
  // While the server is unreachable, pictures wait; the day goes on.
  if (picture !== null) void device.addPicture(id, picture).catch(() => {})
}
