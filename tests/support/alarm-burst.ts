/** Many alarms in a short time, and how the page of a browser copes with them: for the system test and the benchmark of alarms. */
import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { CAPTURES_PER_MESSAGE } from '@gatehouse/contract/device/numbered'
import type { World } from '@gatehouse/dev-env/world'
import { bytesOfEmbedding } from '@gatehouse/face-engine'
import { camera, sending, task } from '@gatehouse/server/contexts/surveillance/testing/cameras'

export interface AlarmBurst {
  /** Let the cameras capture so many strangers, evenly over these seconds; 0: as fast as they are stored. Each raises an alarm. */
  raise(count: number, seconds: number): Promise<void>
}

/** Create cameras, and a task that raises an alarm of every stranger there. */
export async function alarmBurst(world: World, cameras: number): Promise<AlarmBurst> {
  const devices = []
  while (devices.length < cameras) devices.push(await camera(world))
  await task(world, world, { devices, groups: [await world.personGroup()], strangerAlarm: true, repeatSeconds: 0 })
  await world.settled()
  const senders = devices.map((device) => sending(world, device))
  const { dimensions } = world.server.contexts.faces.service.description
  const template = Buffer.from(bytesOfEmbedding(new Float32Array(dimensions).fill(1 / Math.sqrt(dimensions)))).toString('base64')
  return {
    async raise(count, seconds) {
      // Ten messages a second, unless that is too few for so many captures.
      const perMessage = seconds === 0 ? CAPTURES_PER_MESSAGE : Math.min(CAPTURES_PER_MESSAGE, Math.ceil(count / seconds / 10))
      const startedAt = performance.now()
      // A camera sends its next message when the one before it is answered; the others do not wait for it.
      const sent = senders.map(() => Promise.resolve())
      for (let raised = 0, message = 0; raised < count; message++) {
        const some = Math.min(perMessage, count - raised)
        await delay(Math.max(0, startedAt + (raised / count) * seconds * 1000 - performance.now()))
        const number = message % senders.length
        const from = senders[number]!
        const captures = Array.from({ length: some }, () => from.captured({ template }))
        sent[number] = sent[number]!.then(async () => {
          const { status, code } = await from.send(captures)
          if (status !== 200 || code !== 0) throw new Error(`captures are answered ${status}, code ${code}`)
        })
        raised += some
      }
      await Promise.all(sent)
    },
  }
}

/** Return how many alarms the corner of the page of the console in English tells of: as bubbles, and as a number beside them. */
export async function alarmsTold(page: Page): Promise<number> {
  const corner = page.locator('#alarm-bubbles')
  const more = corner.getByRole('link', { name: /^\d[\d,]* more/ })
  const counted = (await more.count()) === 0 ? 0 : Number((await more.innerText()).replace(/\D/g, ''))
  return counted + (await corner.getByRole('alert').count())
}

export interface FrameTimes {
  /** Milliseconds from one frame of the page to the next. */
  p50: number
  p95: number
  longest: number
  /** The longest time in which one task kept everything else waiting; 0: none took 50 ms. */
  blocked: number
  frames: number
}

const NOTE_FRAMES = `
  window.frameTimes = []
  window.blockedTimes = []
  let last = performance.now()
  const next = (now) => { frameTimes.push(now - last); last = now; requestAnimationFrame(next) }
  requestAnimationFrame(next)
  new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) blockedTimes.push(duration) })
    .observe({ type: 'longtask' })`

/** Note the frames of a page from now on. @returns a function that returns those since it was called last */
export async function noteFrames(page: Page): Promise<() => Promise<FrameTimes>> {
  await page.evaluate(NOTE_FRAMES)
  return async () => {
    const taken = '({ times: frameTimes.splice(0), blocked: blockedTimes.splice(0) })'
    const { times, blocked } = await page.evaluate<{ times: number[]; blocked: number[] }>(taken)
    const sorted = times.toSorted((one, other) => one - other)
    const percentile = (share: number): number => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN
    return { p50: percentile(0.5), p95: percentile(0.95), longest: percentile(1), blocked: Math.max(0, ...blocked), frames: times.length }
  }
}
