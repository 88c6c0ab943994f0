/**
 * A simulated device that sends records it is given: of the demo campus, or of a test. They are numbered by whoever makes
 * them, the same in every run, so that a run sends on where the one before stopped.
 */
import type { RecordObject } from '@gatehouse/contract/device/protocol'
import { recordId } from '@gatehouse/terminal/device/record-id'
import { Catalogue } from '../simulator/catalogue.ts'
import type { SimulatedHoldings } from '../simulator/holdings.ts'
import { startSimulatedDevice as startDevice } from '../simulator/simulated-device.ts'

export interface SimulatedDevice {
  /** What it decides by. */
  readonly holdings: SimulatedHoldings
  /** Names the settings in force. */
  manifest(): { revision: string }
  /** Highest number the server has stored of this device's epoch. */
  stored(): number
  /** Sends numbered records and waits until the server has stored them. @throws Error when it does not, or `signal` aborts */
  send(records: readonly RecordObject[]): Promise<void>
  /** Sends the picture of a record that was stored. */
  sendPicture(seq: number, picture: Uint8Array): Promise<void>
  stop(): Promise<void>
}

export interface SimulatedDeviceOptions {
  server: string
  code: string
  secret: string
  /** Names the run its records are numbered in. */
  epoch: string
  modelId: string
  signal?: AbortSignal
}

const PATIENCE_MS = 30_000
const RETRY = { first: 200, limit: 5_000 }

/** Resolves once it is connected and holds what it should. @throws Error when it is refused, or does not get there in time */
export async function startSimulatedDevice({
  server,
  code,
  secret,
  epoch,
  modelId,
  signal,
}: SimulatedDeviceOptions): Promise<SimulatedDevice> {
  const waiting = new Set<() => void>()
  const onChange = (): void => waiting.forEach((look) => look())
  const device = await startDevice({
    server,
    code,
    secret,
    modelId,
    retry: RETRY,
    store: { catalogue: new Catalogue(), resumes: epoch },
    onChange,
  })
  const { holdings, outbox, pictures } = device.store.disk

  /** Waits for something of the device's state. */
  async function until(what: string, holds: () => boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = (why: string) => () => reject(new Error(`device ${code}: ${why}`))
    const aborted = giveUp('stopped')
    const timer = setTimeout(giveUp(`waited ${PATIENCE_MS / 1000} s ${what}`), PATIENCE_MS)
    function look(): void {
      if (holds()) return resolve()
      const link = device.state()?.link
      if (link?.kind === 'refused' || link?.kind === 'foreign' || link?.kind === 'removed') giveUp(link.detail)()
    }
    signal?.addEventListener('abort', aborted, { once: true })
    waiting.add(look)
    try {
      signal?.throwIfAborted()
      look()
      await promise
    } finally {
      clearTimeout(timer)
      waiting.delete(look)
      signal?.removeEventListener('abort', aborted)
    }
  }

  async function send(records: readonly RecordObject[]): Promise<void> {
    const made = outbox.made()[0]!.upTo
    for (const { seq, ...record } of records) {
      if (seq <= made) continue
      const queued = device.append(record)
      if (queued?.seq !== seq) throw new Error(`device ${code}: record ${seq} would be number ${queued?.seq}`)
    }
    await until('for its records to be stored', () => outbox.length() === 0)
  }

  try {
    await until('to be connected and hold its persons', () => device.state()?.link.kind === 'online' && device.state()?.held != null)
  } catch (error) {
    await device.stop()
    throw error
  }
  return {
    holdings,
    manifest: () => ({ revision: holdings.revision() }),
    stored: () => outbox.made()[0]!.upTo - outbox.length(),
    send,
    async sendPicture(seq, picture) {
      device.addPicture(recordId(device.store.disk.deviceId()!, epoch, seq), picture)
      await until('for a picture to be stored', () => pictures.length() === 0)
    },
    stop: () => device.stop(),
  }
}
