/**
 * A simulated device of the demo campus or of a test, which sends the records it is given. Their maker numbers them the same in every run,
 * so that a run continues where the previous one stopped.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { recordId } from '@gatehouse/terminal/device/record-id'
import { storedBy, desiredHoldingOf } from '../simulator/accounting.ts'
import { Catalogue } from '../simulator/catalogue.ts'
import type { SimulatedHoldings } from '../simulator/holdings.ts'
import type { UnnumberedRecord } from '../simulator/passage.ts'
import { startSimulatedDevice as startDevice } from '../simulator/simulated-device.ts'

export interface SimulatedDevice {
  /** What it decides by. */
  readonly holdings: SimulatedHoldings
  /** Return the id that the server gave it. */
  deviceId(): string
  /** Return the current manifest, whose revision names the settings in force. */
  manifest(): { revision: string }
  /** Return the highest number that the server has stored of this device's epoch. */
  stored(): number
  /** Send numbered records and wait until the server has stored them. @throws Error when it does not, or `signal` aborts */
  send(records: readonly RecordObject[]): Promise<void>
  /** Send the picture of a stored record. */
  sendPicture(seq: number, picture: Uint8Array): Promise<void>
  /** Queue a record with the next number, and send it when possible. @returns its id */
  append(record: UnnumberedRecord): string
  /**
   * Queue the picture of a record and send it when possible; wait while others wait.
   * @throws Error once the device is lost, or `signal` aborts
   */
  addPicture(recordId: string, picture: Uint8Array): Promise<void>
  /** Wait until it has stored what it should. @throws Error when it does not in time, or `signal` aborts */
  synchronised(): Promise<void>
  /** Resolves with the reason once the server no longer accepts the device: it was deleted, or has another secret. */
  lost: Promise<string>
  stop(): Promise<void>
}

export interface SimulatedDeviceOptions {
  server: string
  code: string
  secret: string
  /** Name of the run in which its records are numbered. */
  epoch: string
  modelId: string
  signal?: AbortSignal
}

const PATIENCE_MS = 30_000
const LOOK_EVERY_MS = 100
/** Pictures in transit at the same time. */
const PICTURES_AT_ONCE = 4
const RETRY = { first: 200, limit: 5_000 }

/**
 * Start a device. Resolves once it is connected and has stored what it should. @throws Error when it is refused, or does not get there in
 * time
 */
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

  /** Return why the server no longer accepts the device; null while it does, or is unreachable. */
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

  /** Wait for a state of the device. @param limited false: without a time limit */
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
      while (!isDeepStrictEqual(storedBy(device), await desiredHoldingOf(device.running()!.client))) {
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
