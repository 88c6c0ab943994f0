/** What the server asks of its connection to the devices, whichever broker stands between. */
import type { Logger } from '../log.ts'
import type { DeviceSignIn } from '../session/session.ts'
import type { Certificate } from '../transport/certificate.ts'

/** How a device reaches the broker; `url` null: the host it reached the server at, on `port`. */
export interface BrokerAccess {
  url: string | null
  port: number
  username: string
  password: string
}

/**
 * Takes one message. Where it answers a promise, what the same device sends next is held back until that is settled
 * (an external broker: what all devices send, beyond some hundreds under way), so that memory stays bounded. It must
 * not wait for the channel itself, whose answers come the same way.
 */
export type MessageHandler = (topic: string, payload: Buffer) => void | Promise<void>

/** The server's end of the device messages. */
export interface DeviceChannel {
  /** Messages of devices (topics matching UPLINK_PATTERN), in the order of each device. One handler. */
  onMessage(handler: MessageHandler): void
  /**
   * Resolves when handed to the broker; qos 0 unless told.
   * @throws BrokerUnavailable while the broker is away: nothing is kept to be said later, a door must not open minutes after
   */
  publish(topic: string, payload: string, options?: { qos?: 0 | 1 }): Promise<void>
  /**
   * Lets a device in and answers how it connects; repeated for the same secret and way it answers the same.
   * @throws BrokerUnavailable while an external broker is away, BrokerUnprovisioned where it does not take accounts
   */
  admit(device: { deviceId: string; code: string }, asking: Asking): Promise<BrokerAccess>
  /** Ends a device's session now; it may come back. */
  disconnect(code: string): Promise<void>
  /**
   * The device of this code is gone, has another secret by now, or may not have sent it any more: whoever was let in before is out for good when this
   * resolves. A device that was let in by the present secret stays: word of a change may come after the device itself.
   */
  retire(code: string): Promise<void>
  /** Called when the broker was away and is back, before the retained statuses come again. */
  onReconnect(handler: () => void): void
  /** Where devices connect: the embedded broker's port, or that of the external one. */
  readonly port: number
  readonly connected: boolean
  stop(): Promise<void>
}

/** What a device's password follows from. */
export interface DeviceCredential {
  deviceId: string
  code: string
  secretHash: string
  /** Whether it may have sent its secret to be let in. */
  secretsTaken: boolean
}

/** How a device asks to be let in. */
export interface Asking {
  /** Name or address it reached the server at, as it stands in an address. */
  hostname: string
  signedInBy: DeviceSignIn
}

export interface ChannelTls {
  /** 0 for any. */
  port: number
  certificate: Certificate
  /** In PEM: authority whose certificates devices must show beside their password, in the name of their code. */
  clientAuthority: string | null
  /** Under which name devices are told to come: one the certificate holds, or the one they asked the server at. */
  told: 'named' | 'asked'
}

export interface ChannelOptions {
  /** Null: the embedded broker. Else mqtt:// or mqtts:// with the account that administers the broker. */
  url: string | null
  /** Wanted port of the embedded broker; 0 for any. */
  port: number
  /** Take the next free port where the wanted one is in use. */
  mayMove: boolean
  host: string
  /** Where the embedded broker listens for those who come without TLS; `host` unless told. */
  plainHost?: string
  /** Where devices are told to find the broker; absent or null: what follows from its own address. */
  deviceUrl?: string | null
  /** The embedded broker speaks TLS too, and devices are told so; absent or null: it does not. */
  tls?: ChannelTls | null
  /** Secret of the installation, hexadecimal; the same on every server of it. */
  serverKey: string
  log: Logger
  /** The registered device of a code; null where there is none. */
  credentialOf(code: string): Promise<DeviceCredential | null>
}

/** The broker is away, or cannot be used as it is: nothing the caller did, worth trying again (503). */
export class BrokerUnavailable extends Error {
  override name = 'BrokerUnavailable'
}

/** An external broker does not do what Gatehouse needs of it; the message says what, for whoever runs it. */
export class BrokerUnprovisioned extends BrokerUnavailable {
  override name = 'BrokerUnprovisioned'
}
