/** Visitors and misfortunes of a fleet of simulated devices. */
import { randomOf, type Random } from '@gatehouse/face-engine/portrait/random'
import { misfortuneOf, strike } from './faults.ts'
import type { Fleet, FleetParts } from './fleet-types.ts'
import { PowerCut } from './journal.ts'
import { OutboxFull } from './outbox.ts'
import type { SimulatedDevice } from './simulated-device-types.ts'

const TICK_MS = 50

export function createVisits(parts: FleetParts): Pick<Fleet, 'begin' | 'calm'> {
  const { faults, devices, counts } = parts
  const { seed, rate = 0, misfortunesPerMinute = 1, picture } = parts.options
  const fortune = randomOf(`${seed} fortune`)
  const visitors = randomOf(`${seed} visitors`)
  const pending = new Map<SimulatedDevice, { timer: NodeJS.Timeout; end: () => void }>()
  let due = 0
  let ticking: NodeJS.Timeout | undefined

  async function visit(device: SimulatedDevice, random: Random): Promise<void> {
    const { holdings } = device.store.disk
    const place = random.next()
    const person = random.chance(0.05) ? undefined : holdings.somebody(place)
    const shown = random.chance(0.1) ? picture : undefined
    // High enough for a known person to be recognised even at a device of fifty thousand faces.
    const score = person === undefined ? random.between(10, 60) : random.between(112, 130)
    try {
      const queued = await device.pass({ personId: person?.id ?? null, score, moment: device.clock.now() }, shown)
      if (queued === null) counts.turnedAway++
      else {
        parts.ledger.get(device)!.add(queued.id)
        if (shown !== undefined) counts.picturesMade++
      }
    } catch (error) {
      counts.turnedAway++
      if (!(error instanceof PowerCut || error instanceof OutboxFull)) parts.failure ??= error
    }
  }

  function befall(device: SimulatedDevice): void {
    if (pending.has(device)) return
    const misfortune = misfortuneOf(faults, (misfortunesPerMinute * TICK_MS) / 60_000, fortune)
    if (misfortune === null) return
    const end = strike(device, misfortune, fortune)
    if (misfortune.kind === 'cut') counts.cuts++
    else counts.vanished++
    const over = (): void => {
      pending.delete(device)
      end()
    }
    pending.set(device, { timer: setTimeout(over, misfortune.lasts), end: over })
  }

  function tick(): void {
    due += (rate * TICK_MS) / 1000
    for (; due >= 1; due--) if (devices.length > 0) void visit(visitors.pick(devices), visitors)
    if (faults.size > 0) for (const device of devices) befall(device)
  }

  function calm(): void {
    clearInterval(ticking)
    ticking = undefined
    for (const { timer, end } of pending.values()) {
      clearTimeout(timer)
      end()
    }
  }

  return { begin: () => void (ticking ??= setInterval(tick, TICK_MS)), calm }
}
