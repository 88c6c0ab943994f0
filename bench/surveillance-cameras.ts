/**
 * Cameras of the surveillance benchmark, in a thread of their own: each captures faces at a steady pace, whatever the server does, and
 * sends them as a camera does, numbered, with the next message when the one before it is acknowledged, and then the pictures one by one.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { CAPTURES_PER_MESSAGE, numberedCalls, type CaptureObject } from '@gatehouse/contract/device/numbered'
import { createClient } from '@gatehouse/dev-env/client'

export interface CamerasTask {
  url: string
  cameras: { code: string; secret: string }[]
  epoch: string
  modelId: string
  /** Templates in base64 of faces that nobody looks out for; used again and again. */
  strangers: string[]
  /** Templates of persons who are looked out for, each captured once, at equal distances. */
  persons: { id: string; template: string }[]
  /** Captures per second of all cameras together, and seconds to capture for. */
  perSecond: number
  seconds: number
  /** Sent with each capture; null: captures without pictures. */
  picture: Uint8Array | null
}

export interface CamerasReport {
  /** All captures, each acknowledged in the end. */
  captured: number
  /** Captures, and pictures, that were acknowledged before the last one was captured. */
  acknowledged: number
  pictured: number
  /** The most captures that waited for an acknowledgement at a time, and how many did on average in the last and in the first half. */
  backlog: { most: number; firstHalf: number; lastHalf: number }
  /** Epoch milliseconds when each of the persons was captured. */
  personsAt: Record<string, number>
  /** Captures that this thread made more than a tenth of a second late. */
  late: number
}

interface Camera {
  waiting: CaptureObject[]
  pictures: number[]
  client: ReturnType<typeof createClient>
  seq: number
}

const TICK_MS = 10
const LATE_MS = 100

const { url, cameras: devices, epoch, modelId, strangers, persons, perSecond, seconds, picture } = workerData as CamerasTask
const cameras = devices.map(({ code, secret }): Camera => ({
  waiting: [],
  pictures: [],
  client: createClient(url, { basic: [code, secret] }),
  seq: 0,
}))
const personsAt: Record<string, number> = {}
const counts = { acknowledged: 0, pictured: 0 }
let isOver = false

/** Send what a camera has, until it captures nothing more and everything is stored. */
async function send(camera: Camera): Promise<void> {
  while (!isOver || camera.waiting.length + camera.pictures.length > 0) {
    const captures = camera.waiting.slice(0, CAPTURES_PER_MESSAGE)
    if (captures.length > 0) {
      const body = { epoch, oldestSeq: captures[0]!.seq, sentAt: Date.now(), modelId, captures }
      await camera.client.call(numberedCalls.captures, { body })
      camera.waiting.splice(0, captures.length)
      counts.acknowledged += captures.length
      if (picture !== null) camera.pictures.push(...captures.map(({ seq }) => seq))
    }
    const [seq] = camera.pictures
    if (seq !== undefined) {
      await camera.client.call(numberedCalls.capturePicture, { params: { epoch, seq }, file: picture! })
      camera.pictures.shift()
      counts.pictured++
    } else if (captures.length === 0) await delay(TICK_MS)
  }
}

async function captureSteadily(): Promise<CamerasReport> {
  const captured = perSecond * seconds
  const everyNth = Math.max(1, Math.floor(captured / Math.max(1, persons.length)))
  const sending = Promise.all(cameras.map(send))
  const backlogs: number[] = []
  let late = 0
  const startedAt = performance.now()
  for (let made = 0; made < captured;) {
    for (; made < captured && startedAt + (made * 1000) / perSecond <= performance.now(); made++) {
      if (performance.now() - startedAt - (made * 1000) / perSecond > LATE_MS) late++
      const camera = cameras[made % cameras.length]!
      const person = made % everyNth === 0 ? persons[made / everyNth] : undefined
      const at = Date.now()
      if (person !== undefined) personsAt[person.id] = at
      camera.waiting.push({
        seq: ++camera.seq,
        enteredAt: at,
        capturedAt: at,
        leftAt: at,
        quality: 0.9,
        faceWidth: 120,
        template: person?.template ?? strangers[made % strangers.length]!,
        hasPicture: picture !== null,
      })
    }
    backlogs.push(made - counts.acknowledged)
    await delay(TICK_MS)
  }
  const { acknowledged, pictured } = counts
  isOver = true
  await sending
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0) / Math.max(1, numbers.length)
  const half = Math.floor(backlogs.length / 2)
  return {
    captured,
    acknowledged,
    pictured,
    backlog: { most: Math.max(...backlogs), firstHalf: mean(backlogs.slice(0, half)), lastHalf: mean(backlogs.slice(half)) },
    personsAt,
    late,
  }
}

const report = await captureSteadily()
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort!.postMessage(report)
