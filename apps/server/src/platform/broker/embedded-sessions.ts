/** Sessions of devices at the embedded broker: one for each code, opened by a password derived from the device's secret. */
import type { Client } from 'aedes'
import { deviceTopics } from '@gatehouse/contract/device/protocol'
import type { Logger } from '../log.ts'
import { passwordsOf, samePassword } from './credentials.ts'
import type { ChannelOptions, DeviceCredential } from './types.ts'

export interface DeviceSession {
  code: string
  /** The password that opened it. */
  password: string
  topics: ReturnType<typeof deviceTopics>
  subscriptions: Set<string>
  /** Another connection of the same code has replaced it, or the server has ended it. */
  isOver: boolean
}

export interface DeviceSessions {
  /** Return the session of an authenticated connection. */
  of(client: Client): DeviceSession | undefined
  /** Return whether a password currently opens a session of a code. */
  isOpenedBy(code: string, password: string): Promise<boolean>
  /** Open the session of a code, replacing an existing one. */
  open(client: Client, code: string, password: string): void
  /** End the session of a code and resolve when its connection is closed. */
  end(code: string): Promise<void>
  /** End the session of a code unless its password is still valid. */
  retire(code: string): Promise<void>
}

export function createDeviceSessions({
  log,
  serverKey,
  credentialOf,
}: Pick<ChannelOptions, 'serverKey' | 'credentialOf'> & { log: Logger }): DeviceSessions {
  const sessions = new WeakMap<Client, DeviceSession>()
  /** The one session of each code. */
  const current = new Map<string, Client>()
  /** Number of retirements of each code: a credential that was looked up before one is looked up again. */
  const retirements = new Map<string, number>()

  const opens = (credential: DeviceCredential, password: string): boolean =>
    passwordsOf(serverKey, credential).some((one) => samePassword(one, password))

  const end = (code: string): Promise<void> =>
    new Promise((resolve) => {
      const client = current.get(code)
      if (client === undefined) return resolve()
      current.delete(code)
      client.close(resolve)
    })

  return {
    of: (client) => sessions.get(client),
    async isOpenedBy(code, password) {
      for (;;) {
        const before = retirements.get(code)
        const credential = await credentialOf(code)
        // The register finds a code in any spelling; topics and sessions use the registered spelling only.
        if (retirements.get(code) === before) return credential?.code === code && opens(credential, password)
      }
    },
    open(client, code, password) {
      const before = current.get(code)
      sessions.set(client, { code, password, topics: deviceTopics(code), subscriptions: new Set(), isOver: false })
      current.set(code, client)
      if (before !== undefined) {
        log.warn({ device: code }, 'another connection took this device’s place: either it came back, or two terminals share its code')
        // Marked before it is closed: its last will would report the device as offline.
        sessions.get(before)!.isOver = true
        before.close()
      }
      client.conn.once('close', () => {
        if (current.get(code) === client) current.delete(code)
      })
    },
    end,
    async retire(code) {
      retirements.set(code, (retirements.get(code) ?? 0) + 1)
      const credential = await credentialOf(code)
      const client = current.get(code)
      if (client === undefined || (credential !== null && opens(credential, sessions.get(client)!.password))) return
      await end(code)
    },
  }
}
