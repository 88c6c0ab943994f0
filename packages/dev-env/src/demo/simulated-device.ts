/**
 * A simulated device that sends records it is given: of the demo campus, or of a test. They are numbered by whoever makes
 * them, the same in every run, so that a run sends on where the one before stopped.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { RecordObject } from '@gatehouse/contract/device/protocol'
import { recordId } from '@gatehouse/terminal/device/record-id'
import { heldBy, wantedOf } from '../simulator/accounting.ts'
import { Catalogue } from '../simulator/catalogue.ts'
import type { SimulatedHoldings } from '../simulator/holdings.ts'
import type { UnnumberedRecord } from '../simulator/passage.ts'
import { startSimulatedDevice as startDevice } from '../simulator/simulated-device.ts'

export interface SimulatedDevice {
  /** What it decides by. */
  readonly holdings: SimulatedHoldings
  /** By the server. */
  deviceId(): string
  /** Names the settings in force. */
  manifest(): { revision: string }
  /** Highest number the server has stored of this device's epoch. */
  stored(): number
  /** Sends numbered records and waits until the server has stored them. @throws Error when it does not, or `signal` aborts */
  send(records: readonly RecordObject[]): Promise<void>
  /** Sends the picture of a record that was stored. */
  sendPicture(seq: number, picture: Uint8Array): Promise<void>
  /** Keeps a record with the next number, and sends it when it can. @returns its id */
  append(record: UnnumberedRecord): string
  /** Keeps the picture of a record and sends it when it can; waits while others wait. @throws Error once the device is lost, or `signal` aborts */
  addPicture(recordId: string, picture: Uint8Array): Promise<void>
  /** Waits until it holds what it should. @throws Error when it does not in time, or `signal` aborts */
  synchronised(): Promise<void>
  /** Resolves with the reason once the server no longer takes the device: it was deleted, or has another secret. */
  lost: Promise<string>
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
const LOOK_EVERY_MS = 100
/** Pictures on their way at the same time. */
const PICTURES_AT_ONCE = 4
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

  /** Why the server no longer takes the device; null while it does, or is away. */
  function reasonLost(): string | null {
    const link = device.state()?.link
    return link?.kind === 'refused' || link?.kind === 'foreign' || link?.kind === 'removed' ? link.detail : null
  }

  const { promise: lost, resolve: lose } = Promise.withResolvers<string>()
  const lookWhetherLost = (): void => {
    const reason = reasonLost()
    if (reason !== null) lose(reason)
  }
  waiting.add(lookWhetherLost)

  /** Waits for something of the device's state. @param limited false: as long as it takes */
  async function until(what: string, holds: () => boolean, { limited = true } = {}): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const giveUp = (why: string) => () => reject(new Error(`device ${code}: ${why}`))
    const aborted = giveUp('stopped')
    const timer = limited ? setTimeout(giveUp(`waited ${PATIENCE_MS / 1000} s ${what}`), PATIENCE_MS) : undefined
    function look(): void {
      if (holds()) return resolve()
      const reason = reasonLost()
      if (reason !== null) giveUp(reason)()
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
    deviceId: () => device.store.disk.deviceId()!,
    manifest: () => ({ revision: holdings.revision() }),
    stored: () => outbox.made()[0]!.upTo - outbox.length(),
    send,
    async sendPicture(seq, picture) {
      device.addPicture(recordId(device.store.disk.deviceId()!, epoch, seq), picture)
      await until('for a picture to be stored', () => pictures.length() === 0)
    },
    append(record) {
      const queued = device.append(record)
      if (queued === null) throw new Error(`device ${code} is not paired`)
      return queued.id
    },
    async addPicture(id, picture) {
      device.addPicture(id, picture)
      await until('for pictures to be stored', () => pictures.length() < PICTURES_AT_ONCE, { limited: false })
    },
    async synchronised() {
      const end = performance.now() + PATIENCE_MS
      while (!isDeepStrictEqual(heldBy(device), await wantedOf(device.running()!.client))) {
        signal?.throwIfAborted()
        const reason = reasonLost()
        if (reason !== null) throw new Error(`device ${code}: ${reason}`)
        if (performance.now() > end) throw new Error(`device ${code}: waited ${PATIENCE_MS / 1000} s for its persons`)
        await delay(LOOK_EVERY_MS, undefined, { signal })
      }
    },
    lost,
    stop: () => device.stop(),
  }
}
