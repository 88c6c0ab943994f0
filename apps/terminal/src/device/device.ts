/**
 * A device as the server knows it, without door, camera, engine or screen: it pairs, holds what it should, and sends
 * what it has recorded. What it keeps lies behind `Store`.
 */
import type { HeldState, RecordObject, ToldFacts } from '@gatehouse/contract/device/protocol'
import type { CommandHandlers } from './commands.ts'
import { createHeldPersons, TAMPERED } from './held-persons.ts'
import { startLink, type DoorAnswer, type LinkState } from './link.ts'
import { createSealedCredentials } from './sealed-credentials.ts'
import { createServerClient, type ServerClient } from './server.ts'
import type { ServerSecurity } from './sign-in.ts'
import type { Holdings, QueuedRecord, Store } from './store.ts'
import { createSynchroniser, type Embed } from './synchroniser.ts'
import { createUplink } from './uplink.ts'

export interface DeviceOptions {
  /** Address of the server, such as `https://gate.example:8080`. */
  server: string
  code: string
  secret: string
  /** Over TLS the server must vouch for its key; certificates of authorities do not suffice. */
  mustVouch?: boolean
  /** Stays the caller's to close, after `stop`. */
  store: Store
  /** Names the face model whose templates are taken. */
  modelId: string
  /** Of the program. */
  version: string
  /** Epoch milliseconds. */
  clock?: () => number
  log?: (sentence: string) => void
  /** Runs `operateType` of controlDoor. */
  operateDoor: (operateType: number) => Promise<DoorAnswer>
  /** Other commands it carries out. */
  commands?: CommandHandlers | undefined
  /** What it tells of itself. */
  facts?: (() => ToldFacts) | undefined
  /** For a broker over TLS, in PEM: whom to trust besides the usual authorities, and what to show where a certificate is asked for. */
  tls?: { ca?: string; cert?: string; key?: string } | undefined
  /** Makes templates of photographs where the server has none. Absent: such persons are exceptions. */
  embed?: Embed
  /** Milliseconds between tries to connect: the first, and the most; 1 s and 30 s unless told. */
  retry?: { first: number; limit: number }
  /** Milliseconds without an acknowledgement after which records are sent again; 15 s unless told. */
  resendAfter?: number
  /** Something of `state` changed. */
  onChange?: () => void
  /** 0 to below 1, to spread waits; `Math.random` unless told. */
  random?: () => number
}

export interface DeviceState {
  link: LinkState
  /** Security of the connection to the server; null before the first one. */
  security: ServerSecurity | null
  /** Server's clock minus this one's when they last met, in milliseconds; null before. */
  clockOffset: number | null
  /** Null before the first pairing. */
  deviceId: string | null
  /** What the server is told; null until the persons were taken whole for the first time. */
  held: HeldState | null
  /** What the server does not have yet. */
  queue: { records: number; pictures: number }
}

export interface Device {
  state(): DeviceState
  /** Whether the server can be asked right now. */
  isOnline(): boolean
  readonly holdings: Holdings
  /** The server, for calls of one's own. */
  readonly client: ServerClient
  /**
   * Stores a record, and sends it when it can. Records of one turn of the event loop travel together.
   * @returns null before the first pairing: there is nobody yet to number for
   * @throws when it cannot be written; the number is then not used up
   */
  appendRecord(record: Omit<RecordObject, 'seq'>): QueuedRecord | null
  /**
   * Stores the picture of a record and sends it behind the record.
   * @returns how many unsent pictures gave way to it
   * @throws when it cannot be written
   */
  addPicture(recordId: string, image: Uint8Array): number
  /** What `facts` answers has changed: the server is told. */
  factsChanged(): void
  /** Compares what is held with what should be, now. */
  synchronise(): void
  /** Says goodbye and ends. The store is left alone from then on. */
  stop(): Promise<void>
}

const DAY = 86_400_000

/**
 * Starts a device; it connects on its own and keeps trying.
 * @throws TypeError for an unusable server address
 */
export function startDevice(options: DeviceOptions): Device {
  const {
    code,
    secret,
    mustVouch,
    store,
    modelId,
    version,
    clock = Date.now,
    log = () => {},
    operateDoor,
    commands,
    facts,
    tls,
    embed,
    onChange = () => {},
    random = Math.random,
  } = options
  const client = createServerClient({ server: options.server, code, secret, trust: store, mustVouch, clock })
  const held = createHeldPersons(store.holdings, onChange)
  const uplink = createUplink({
    outbox: store.outbox,
    pictures: store.pictures,
    client,
    clock,
    log,
    resendAfter: options.resendAfter,
    onProgress: onChange,
    random,
  })
  // Connected it looks every hour; a terminal can be alone for weeks.
  const verifying = setInterval(() => void verify(), DAY)
  verifying.unref()
  let stopped = false
  async function verify(): Promise<void> {
    try {
      if (!(await held.verify())) log(TAMPERED)
    } catch (error) {
      // Stopped on the way, with the store closed behind it.
      if (!stopped) log(`What is kept could not be looked through: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const sealedCredentials = createSealedCredentials()
  const synchroniser = createSynchroniser({ client, held, erasures: store.erasures, modelId, log, embed, sealedCredentials })
  const heldState = (): HeldState | null => {
    const now = held.state()
    return now && { ...now, erasure: store.erasures.carriedOut() }
  }
  const link = startLink({
    code,
    secret,
    version,
    modelId,
    client,
    store,
    held,
    heldState,
    synchroniser,
    sealedCredentials,
    uplink,
    clock,
    log,
    operateDoor,
    commands,
    facts,
    tls,
    onChange,
    retry: options.retry,
    random,
  })

  return {
    state: () => ({
      link: link.state(),
      security: client.security(),
      clockOffset: link.clockOffset(),
      deviceId: store.deviceId(),
      held: heldState(),
      queue: { records: store.outbox.length(), pictures: store.pictures.length() },
    }),
    isOnline: () => link.state().kind === 'online',
    holdings: store.holdings,
    client,
    appendRecord(record) {
      const deviceId = store.deviceId()
      if (deviceId === null) return null
      const queued = store.outbox.append(deviceId, record)
      uplink.recordAdded()
      return queued
    },
    addPicture(recordId, image) {
      const lost = store.pictures.add(recordId, image)
      uplink.pictureAdded()
      return lost
    },
    factsChanged: () => link.factsChanged(),
    synchronise: () => link.synchronise(),
    async stop() {
      stopped = true
      clearInterval(verifying)
      await link.stop()
      await uplink.stop()
      client.close()
    },
  }
}
