/** A terminal's core on its own store, in the process of the test: its persons and records can be inspected. */
import { accessResult, verifyType } from '@gatehouse/contract/enums'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { BUILTIN_DIMENSIONS, BUILTIN_MODEL } from '@gatehouse/face-engine'
import { startDevice, type Device, type DeviceOptions } from '@gatehouse/terminal/device/device'
import { openStore, type TerminalStore } from '../../apps/terminal/src/store/store.ts'

export interface CoreOptions extends Pick<DeviceOptions, 'server' | 'code' | 'secret' | 'clock' | 'tls'> {
  folder: string
  /** Maximum bytes of all pictures together. */
  pictureQuota?: number
}

export interface Core {
  device: Device
  store: TerminalStore
  /** Its log messages. */
  sentences: readonly string[]
  /** Return the names of the stored persons who can be recognised, sorted. */
  names(): string[]
  /** Stop it; another one can be started on its folder. */
  stop(): Promise<void>
}

/** Start a terminal's core; it connects on its own. The caller stops it, once or more often. */
export function startCore({ folder, pictureQuota, ...options }: CoreOptions): Core {
  const model = { modelId: BUILTIN_MODEL, dimensions: BUILTIN_DIMENSIONS }
  const sentences: string[] = []
  const store = openStore({ folder, code: options.code, model, clock: options.clock, pictureQuota })
  const device = startDevice({
    ...options,
    store,
    modelId: model.modelId,
    version: 'test',
    log: (sentence) => void sentences.push(sentence),
    operateDoor: async () => ({ isSuccess: true, errorType: null }),
    retry: { first: 50, limit: 200 },
    resendAfter: 1_000,
  })
  let stopped: Promise<void> | null = null
  return {
    device,
    store,
    sentences,
    names() {
      const { holdings } = store
      return [...holdings.versions()].flatMap(([id]) => (holdings.exceptions().has(id) ? [] : [holdings.person(id)!.name])).toSorted()
    },
    stop: () => (stopped ??= device.stop().then(() => store.close())),
  }
}

/** Return a record of a stranger who was refused. */
export function passageAt(occurredAt: number, change: Partial<RecordObject> = {}): Omit<RecordObject, 'seq'> {
  return {
    occurredAt,
    personId: null,
    personName: '',
    result: accessResult.rejected,
    failReason: 904,
    verifyType: verifyType.face,
    direction: 1,
    score: 12,
    checks: '[]',
    revision: '',
    hasPicture: false,
    ...change,
  }
}
