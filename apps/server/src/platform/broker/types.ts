/** The interface of the server's connection to devices, whichever broker is used. */
import type { Logger } from '../log.ts'
import type { DeviceSignIn } from '../session/session.ts'
import type { Certificate } from '../transport/certificate.ts'

/** How a device reaches the broker; `url` null: at the host where it reached the server, on `port`. */
export interface BrokerAccess {
  url: string | null
  port: number
  username: string
  password: string
}

/**
 * Handles one message. If it returns a promise, the next message of the same device waits until it settles (with an external broker:
 * messages of all devices, beyond some hundreds being handled), so that memory stays bounded. It must not wait for the channel itself,
 * whose answers arrive the same way.
 */
export type MessageHandler = (topic: string, payload: Buffer) => void | Promise<void>

/** The server's end of the device messages. */
export interface DeviceChannel {
  /** Set the one handler of messages of devices (topics matching UPLINK_PATTERN), in the order of each device. */
  onMessage(handler: MessageHandler): void
  /**
   * Publish a message and resolve when the broker has it; qos 0 by default.
   * @throws BrokerUnavailable while the broker is away: nothing is stored to be sent later, because a door must not open minutes
   * afterwards
   */
  publish(topic: string, payload: string, options?: { qos?: 0 | 1 }): Promise<void>
  /**
   * Admit a device and return how it connects; the same for repeated calls with the same secret and kind of sign-in.
   * @throws BrokerUnavailable while an external broker is away, BrokerUnprovisioned where it does not accept accounts
   */
  admit(device: { deviceId: string; code: string }, asking: Asking): Promise<BrokerAccess>
  /** End a device's session now; the device may reconnect. */
  disconnect(code: string): Promise<void>
  /**
   * End access by former credentials: the device was deleted, has another secret, or may no longer send its secret. When this resolves,
   * connections admitted before are closed for good. A device that was admitted with the present secret stays connected, because it may
   * reconnect before the change is reported here.
   */
  retire(code: string): Promise<void>
  /** Set the function that is called when the broker was away and is back, before the retained statuses arrive again. */
  onReconnect(handler: () => void): void
  /** Port that devices connect to: the embedded broker's, or that of the external one. */
  readonly port: number
  readonly connected: boolean
  stop(): Promise<void>
}

/** What a device's password is derived from. */
export interface DeviceCredential {
  deviceId: string
  code: string
  secretHash: string
  /** Whether it may sign in by sending its secret. */
  secretsTaken: boolean
}

/** How a device requests admission. */
export interface Asking {
  /** Name or address at which it reached the server, in the form of an address. */
  hostname: string
  signedInBy: DeviceSignIn
}

export interface ChannelTls {
  /** 0 for any. */
  port: number
  certificate: Certificate
  /** In PEM: authority whose certificates devices must present besides their password, with their code as the common name. */
  clientAuthority: string | null
  /** The name devices are told to connect to: one in the certificate, or the host at which they reached the server. */
  nameFrom: 'named' | 'asked'
}

export interface ChannelOptions {
  /** Null: the embedded broker. Else mqtt:// or mqtts:// with the account that administers the broker. */
  url: string | null
  /** Requested port of the embedded broker; 0 for any. */
  port: number
  /** Use the next free port if the requested one is in use. */
  mayMove: boolean
  host: string
  /** Address at which the embedded broker listens without TLS; `host` by default. */
  plainHost?: string
  /** Address of the broker for devices; absent or null: derived from its own address. */
  deviceUrl?: string | null
  /** TLS of the embedded broker, which devices are then told to use; absent or null: none. */
  tls?: ChannelTls | null
  /** Secret of the installation, hexadecimal; the same on every server of it. */
  serverKey: string
  log: Logger
  /** Return the registered device of a code; null where there is none. */
  credentialOf(code: string): Promise<DeviceCredential | null>
}

/** The broker is away or not usable. The caller is not at fault, and a retry may succeed (503). */
export class BrokerUnavailable extends Error {
  override name = 'BrokerUnavailable'
}

/** An external broker lacks what Gatehouse needs; the message tells its operator what. */
export class BrokerUnprovisioned extends BrokerUnavailable {
  override name = 'BrokerUnprovisioned'
}
