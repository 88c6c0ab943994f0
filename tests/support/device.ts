/** A terminal's core on its own store, in the process of the test: what it holds and keeps can be looked at. */
import { accessResult, verifyType } from '@gatehouse/contract/enums'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { BUILTIN_DIMENSIONS, BUILTIN_MODEL } from '@gatehouse/face-engine'
import { startDevice, type Device, type DeviceOptions } from '@gatehouse/terminal/device/device'
import { openStore, type TerminalStore } from '../../apps/terminal/src/store/store.ts'

export interface CoreOptions extends Pick<DeviceOptions, 'server' | 'code' | 'secret' | 'clock' | 'tls'> {
  folder: string
  /** Bytes all pictures together may take. */
  pictureQuota?: number
}

export interface Core {
  device: Device
  store: TerminalStore
  /** What it said. */
  sentences: readonly string[]
  /** Names of the persons held who can be recognised, in order. */
  names(): string[]
  /** Stops it; its folder can be started on again. */
  stop(): Promise<void>
}

/** Starts a terminal's core; it connects on its own. Whoever starts it stops it, once or more often. */
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

/** A stranger who was turned away. */
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
