/** Simulated AI boxes: they send events with drawn pictures at a rate, some of them twice, as boxes do whose answer was lost. */
import sharp from 'sharp'
import { AI_BOX_EVENTS, aiBoxCalls, type AiBoxEvent } from '@gatehouse/contract/alarms/ai-box'
import { aiBoxDeviceCalls } from '@gatehouse/contract/device/ai-box'
import { deviceType } from '@gatehouse/contract/enums/devices'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { randomOf } from '@gatehouse/face-engine/portrait/random'
import { createClient, type Client } from '../client.ts'
import { secretOf } from '../secret.ts'
import type { Credentials } from './fleet.ts'

export type SimulatedBox = Credentials & { id: string }

export interface AiBoxes {
  /** Begin to send events. */
  begin(): void
  /** Stop, and resolve once every event under way was answered. */
  calm(): Promise<void>
  figures(): { sent: number; acknowledged: number; failed: number }
  /** Return what is wrong with the alarms the server has of these events; empty: each is there once. */
  faultsAt(client: Client): Promise<string[]>
}

const PREFIX = 'SIM-BOX-'
const TICK_MS = 100
/** Events under way; further ones are left out, as a box does that cannot keep up. */
const UNDER_WAY_MAX = 64
const CAMERAS = 4
const REPEATED = 0.1
const PAGE = 100

/** Register boxes, or take up those that an interrupted run left. */
export async function enrolBoxes(client: Client, count: number): Promise<SimulatedBox[]> {
  const boxes: SimulatedBox[] = []
  for (let number = 1; number <= count; number++) {
    const code = `${PREFIX}${number}`
    const { content } = await client.call(deviceCalls.list, { query: { code, size: PAGE } })
    const existing = content.find((device) => device.code === code)
    const added =
      existing === undefined
        ? await client.call(deviceCalls.create, { body: { code, name: code, type: deviceType.aiBox } })
        : await client.call(deviceCalls.resetSecret, { params: { id: existing.id }, body: {} })
    boxes.push({ id: added.id, code, secret: secretOf(added) })
  }
  return boxes
}

/** Return the picture of an event: a scene in the colour of the event. @returns a JPEG of 640 × 360 */
export async function eventPicture(event: AiBoxEvent): Promise<Buffer> {
  const hue = Math.round((AI_BOX_EVENTS.indexOf(event) / AI_BOX_EVENTS.length) * 360)
  const scene = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360">
    <rect width="640" height="220" fill="hsl(${hue} 30% 70%)"/><rect y="220" width="640" height="140" fill="hsl(${hue} 15% 40%)"/>
     <circle cx="300" cy="140" r="28" fill="hsl(${hue} 60% 30%)"/>
    <rect x="268" y="168" width="64" height="110" rx="20" fill="hsl(${hue} 70% 35%)"/>
    <rect x="248" y="96" width="104" height="196" fill="none" stroke="hsl(0 90% 50%)" stroke-width="4"/></svg>`
  return sharp(Buffer.from(scene)).jpeg().toBuffer()
}

/** @param rate events a second over all boxes */
export async function startAiBoxes({
  server,
  boxes,
  rate,
  seed,
}: {
  server: string
  boxes: readonly SimulatedBox[]
  rate: number
  seed: number
}): Promise<AiBoxes> {
  const random = randomOf(`${seed} AI boxes`)
  const clients = new Map(boxes.map(({ id, code, secret }) => [id, createClient(server, { basic: [code, secret] })]))
  const pictures = new Map(
    await Promise.all(AI_BOX_EVENTS.map(async (event) => [event, (await eventPicture(event)).toString('base64')] as const)),
  )
  /** Ids of acknowledged alarms, by box. */
  const acknowledged = new Map(boxes.map(({ id }) => [id, new Set<string>()]))
  const underWay = new Set<Promise<void>>()
  const run = Date.now().toString(36)
  let [sent, failed, due] = [0, 0, 0]
  let ticking: NodeJS.Timeout | undefined

  async function send(box: SimulatedBox): Promise<void> {
    const event = random.pick([...AI_BOX_EVENTS])
    const body = {
      eventId: `${run}-${++sent}`,
      eventType: event,
      eventTime: Date.now(),
      ipcName: `Camera ${1 + Math.floor(random.between(0, CAMERAS))}`,
      image: pictures.get(event)!,
    }
    const times = random.chance(REPEATED) ? 2 : 1
    try {
      for (let time = 0; time < times; time++) {
        const { id } = await clients.get(box.id)!.call(aiBoxDeviceCalls.event, { body })
        acknowledged.get(box.id)!.add(id)
      }
    } catch {
      failed++
    }
  }

  function tick(): void {
    due += (rate * TICK_MS) / 1000
    for (; due >= 1; due--) {
      if (boxes.length === 0 || underWay.size >= UNDER_WAY_MAX) continue
      const work: Promise<void> = send(random.pick([...boxes])).finally(() => underWay.delete(work))
      underWay.add(work)
    }
  }

  async function storedAt(client: Client, deviceId: string): Promise<string[]> {
    const ids: string[] = []
    let after: string | undefined
    do {
      const { content, next } = await client.call(aiBoxCalls.list, {
        body: { deviceId, size: PAGE, ...(after !== undefined && { after }) },
      })
      ids.push(...content.map(({ id }) => id))
      after = next
    } while (after !== undefined)
    return ids
  }

  return {
    begin: () => void (ticking ??= setInterval(tick, TICK_MS)),
    async calm() {
      clearInterval(ticking)
      ticking = undefined
      await Promise.all(underWay)
    },
    figures: () => ({ sent, acknowledged: [...acknowledged.values()].reduce((sum, { size }) => sum + size, 0), failed }),
    async faultsAt(client) {
      const faults: string[] = []
      for (const { id, code } of boxes) {
        const stored = await storedAt(client, id)
        const missing = [...acknowledged.get(id)!].filter((alarm) => !stored.includes(alarm)).length
        const twice = stored.length - new Set(stored).size
        if (missing + twice > 0) faults.push(`Of ${code}, ${missing} events are missing and ${twice} are there twice.`)
      }
      if (failed > 0) faults.push(`${failed} events were not acknowledged.`)
      return faults
    },
  }
}
