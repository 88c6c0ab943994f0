/**
 * A device as the server knows it, without door, camera, engine or screen: it pairs, stores the persons and settings of its audience, and
 * sends its records, events and captures. Its data are accessed through `Store`.
 */
import type { DeviceHoldings, DeviceFacts } from '@gatehouse/contract/device/protocol-status'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import type { CommandHandlers } from './commands.ts'
import type { ItemNumber, NewItem, NumberedKind } from './numbered.ts'
import { createNumberedUplink, type NumberedUplink } from './numbered-uplink.ts'
import { createStoredPersons, TAMPERED } from './stored-persons.ts'
import { startLink, type DoorAnswer, type LinkState } from './link.ts'
import { createSealedCredentials } from './sealed-credentials.ts'
import { createServerClient, type ServerClient } from './server.ts'
import type { ServerSecurity } from './sign-in.ts'
import type { Holdings, QueuedRecord, Store } from './store.ts'
import { createSynchroniser, type Embed } from './synchroniser.ts'
import { createUplink, type Uplink } from './uplink.ts'

export interface DeviceOptions {
  /** Address of the server, such as `https://gate.example:8080`. */
  server: string
  code: string
  secret: string
  /** Over TLS the server must vouch for its key; certificates of authorities do not suffice. */
  mustVouch?: boolean
  /** The caller closes it after `stop`. */
  store: Store
  /** Id of the face model whose templates are taken. */
  modelId: string
  /** Version of the program. */
  version: string
  /** Epoch milliseconds. */
  clock?: () => number
  log?: (sentence: string) => void
  /** Runs `operateType` of controlDoor. */
  operateDoor: (operateType: number) => Promise<DoorAnswer>
  /** Other commands it carries out. */
  commands?: CommandHandlers | undefined
  /** Facts about the terminal that the device reports. */
  facts?: (() => DeviceFacts) | undefined
  /** For a broker over TLS, in PEM: authorities trusted besides the usual ones, and the certificate to present if one is requested. */
  tls?: { ca?: string; cert?: string; key?: string } | undefined
  /** Makes templates of photographs if the server has none. Absent: such persons are exceptions. */
  embed?: Embed
  /** Milliseconds between attempts to connect: the first and the longest wait; default 1 s and 30 s. */
  retry?: { first: number; limit: number }
  /** Milliseconds without an acknowledgement after which records are sent again; default 15 s. */
  resendAfter?: number
  /** `state` changed. */
  onChange?: () => void
  /** Random numbers, 0 to below 1, to spread waits; default `Math.random`. */
  random?: () => number
}

export interface DeviceState {
  link: LinkState
  /** Security of the connection to the server; null before the first one. */
  security: ServerSecurity | null
  /** The server's clock minus this one's at their last contact, in milliseconds; null before. */
  clockOffset: number | null
  /** Null before the first pairing. */
  deviceId: string | null
  /** Holdings as reported to the server; null until the persons were taken completely for the first time. */
  held: DeviceHoldings | null
  /** Records and pictures the server does not have yet. */
  queue: { records: number; pictures: number }
}

export interface Device {
  state(): DeviceState
  /** Whether the server can be asked at present. */
  isOnline(): boolean
  readonly holdings: Holdings
  /** The client of the server, for further calls. */
  readonly client: ServerClient
  /**
   * Store a record, and send it when possible. Records of one turn of the event loop are sent together.
   * @returns null before the first pairing, when there is no device id to number records under
   * @throws when it cannot be written; the number is then not used up
   */
  appendRecord(record: Omit<RecordObject, 'seq'>): QueuedRecord | null
  /**
   * Store the picture of a record and send it after the record.
   * @returns how many unsent pictures were dropped to make room
   * @throws when it cannot be written
   */
  addPicture(recordId: string, image: Uint8Array): number
  /**
   * Store an event or a capture, with its picture if it has one, and send it when possible.
   * @returns its number; null if the store of this device takes none
   * @throws when it cannot be written; the number is then not used up
   */
  appendNumbered<Kind extends NumberedKind>(
    kind: Kind,
    item: NewItem<Kind>,
    picture?: Uint8Array,
    alsoWrite?: () => void,
  ): ItemNumber | null
  /** Report to the server that the facts have changed. */
  factsChanged(): void
  /** Compare what is stored with what should be stored, at once. */
  synchronise(): void
  /** Publish that the device goes offline, and stop. The store is not used from then on. */
  stop(): Promise<void>
}

const DAY = 86_400_000

/**
 * Start a device; it connects on its own and keeps trying.
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
  const stored = createStoredPersons(store.holdings, onChange)
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
  const numbered = store.numbered
    ? createNumberedUplink({ outbox: store.numbered, client, clock, log, retry: options.retry, random })
    : null
  // While connected, the device verifies every hour; but a terminal can be offline for weeks.
  const verifying = setInterval(() => void verify(), DAY)
  verifying.unref()
  let stopped = false
  async function verify(): Promise<void> {
    try {
      if (!(await stored.verify())) log(TAMPERED)
    } catch (error) {
      // Stopped during the check, with the store already closed.
      if (!stopped) log(`What is kept could not be looked through: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  const sealedCredentials = createSealedCredentials()
  const synchroniser = createSynchroniser({ client, stored, erasures: store.erasures, modelId, log, embed, sealedCredentials })
  const storedState = (): DeviceHoldings | null => {
    const now = stored.state()
    return now && { ...now, erasure: store.erasures.carriedOut() }
  }
  const link = startLink({
    code,
    secret,
    version,
    modelId,
    client,
    store,
    stored,
    storedState,
    synchroniser,
    sealedCredentials,
    uplink: numbered === null ? uplink : connectedTogether(uplink, numbered),
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
      held: storedState(),
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
    appendNumbered: (kind, item, picture, alsoWrite) => numbered?.append(kind, item, picture, alsoWrite) ?? null,
    factsChanged: () => link.factsChanged(),
    synchronise: () => link.synchronise(),
    async stop() {
      stopped = true
      clearInterval(verifying)
      await link.stop()
      await uplink.stop()
      await numbered?.stop()
      client.close()
    },
  }
}

/** Return the uplink of records, which also tells another uplink of each connection. */
const connectedTogether = (uplink: Uplink, other: Pick<NumberedUplink, 'connected' | 'disconnected'>): Uplink => ({
  ...uplink,
  connected(...given) {
    uplink.connected(...given)
    other.connected()
  },
  disconnected() {
    uplink.disconnected()
    other.disconnected()
  },
})
