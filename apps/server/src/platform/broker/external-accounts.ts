/** Accounts of devices on an external broker, kept in step with the register of devices. */
import { deviceTopics } from '@gatehouse/contract/device/protocol'
import { memoizePending } from '../async/memoize.ts'
import { createTurns } from '../async/turns.ts'
import { fingerprintOf, passwordsOf } from './credentials.ts'
import type { BrokerClient } from './external-client.ts'
import type { DynamicSecurity } from './mosquitto.ts'
import type { ChannelOptions, DeviceCredential } from './types.ts'

export interface DeviceAccounts {
  /** Admit a device with a password; concurrent calls with the same password share one admission. */
  admit(code: string, password: string): Promise<void>
  /**
   * End a device's session; concurrent calls for one device are one: a device that sends hundreds of invalid messages is disconnected
   * once.
   */
  cut(code: string): Promise<void>
  /** Remove an account whose device was deleted or has another secret by now. */
  retire(code: string): Promise<void>
  /** Correct the accounts of devices that were deleted or have another secret by now: changes made while the broker was away. */
  reconcile(): Promise<void>
}

export interface AccountParts extends Pick<ChannelOptions, 'serverKey' | 'credentialOf'>, Pick<BrokerClient, 'publish'> {
  security: DynamicSecurity
}

export function createDeviceAccounts({ serverKey, credentialOf, publish, security }: AccountParts): DeviceAccounts {
  /** One operation at a time for each code: what was looked up must still hold when it is changed. */
  const turns = createTurns()

  /**
   * End the sessions of an account. The broker does not send the last will of a session that it is told to end, so the server publishes
   * it before the device may reconnect.
   */
  async function suspend(code: string, password: string): Promise<void> {
    await security.suspend(code, password)
    await publish(deviceTopics(code).status, JSON.stringify({ online: false }), 1, true)
    await security.resume(code)
  }

  async function forget(code: string): Promise<void> {
    await security.remove(code)
    const { status } = deviceTopics(code)
    await publish(status, JSON.stringify({ online: false }), 1)
    // An empty message removes the retained one.
    await publish(status, '', 1, true)
  }

  /** Return the password that the account of a device has, if it is still valid. */
  async function currentPassword(code: string, credential: DeviceCredential): Promise<string | undefined> {
    for (const password of passwordsOf(serverKey, credential)) if (await security.holds(code, password)) return password
    return undefined
  }

  async function cut(code: string): Promise<void> {
    const credential = await credentialOf(code)
    await (credential === null
      ? forget(code)
      : suspend(code, (await currentPassword(code, credential)) ?? passwordsOf(serverKey, credential)[0]))
  }

  async function retire(code: string): Promise<void> {
    const credential = await credentialOf(code)
    if (credential === null || (await currentPassword(code, credential)) === undefined) await forget(code)
  }

  return {
    admit: memoizePending(
      (_code, password) => password,
      (code, password) => turns.during(code, () => security.admit(code, password)),
    ),
    cut: memoizePending(
      (code) => code,
      (code) => turns.during(code, () => cut(code)),
    ),
    retire: (code) => turns.during(code, () => retire(code)),
    async reconcile() {
      for (const { code, fingerprint, disabled } of await security.accounts()) {
        const credential = await credentialOf(code)
        if (credential === null) await forget(code)
        else {
          const passwords = passwordsOf(serverKey, credential)
          const current = passwords.find((password) => fingerprintOf(password) === fingerprint)
          if (current === undefined || disabled) await suspend(code, current ?? passwords[0])
        }
      }
    },
  }
}
