/**
 * What to do when the server takes the code and secret no more: perhaps it has deleted the device. It is believed only
 * where it proves that it knows the secret and the id under which the device was paired: a wrong secret, another server or
 * one restored from a backup cannot.
 */
import { randomBytes } from 'node:crypto'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol'
import { removalText, type RemovalSaid } from '@gatehouse/contract/device/removal'
import { isProofOf, keyOfSecret, proofOf } from './handshake.ts'
import type { HeldPersons } from './held-persons.ts'
import { isMissing, type ServerClient } from './server.ts'
import type { Store } from './store.ts'

export interface RemovalOptions {
  code: string
  secret: string
  client: ServerClient
  store: Store
  held: HeldPersons
  log: (sentence: string) => void
  onChange: () => void
}

export interface Removal {
  /** Asks the server; where it says so, everything of its persons goes, and it is told. Never throws. @returns whether the device was removed */
  wasRemoved(signal: AbortSignal): Promise<boolean>
}

export function createRemoval({ code, secret, client, store, held, log, onChange }: RemovalOptions): Removal {
  const key = keyOfSecret(secret)
  let confirmed = false

  /** Whether the server says of this device that it was removed. @throws ServerAway, ServerRefused */
  async function says(said: Exclude<RemovalSaid, 'removed'>, deviceId: string, signal: AbortSignal): Promise<boolean> {
    const nonce = randomBytes(24).toString('base64url')
    const answer = await client.request(
      deviceProtocolCalls.removal,
      { body: { code, nonce, proof: proofOf(key, removalText(said, code, nonce)), done: said === 'done' } },
      { signal },
    )
    return answer.deviceId === deviceId && isProofOf(key, removalText('removed', code, nonce, deviceId), answer.proof)
  }

  function letGo(): void {
    confirmed = false
    const { persons, failed } = held.holdings.counts()
    held.take({ persons: [], exceptions: [], gone: [...held.holdings.versions()].map(([id]) => id), position: null })
    const settings = held.holdings.settings()
    // Without a revision of theirs, the secrets go as well.
    if (settings !== null)
      held.holdings.apply({ revision: '', audience: '', settings: { ...settings, secretsRevision: '' }, strategies: [], timeRules: [] })
    const lost = store.release()
    log(`The server has removed this device. ${persons + failed} persons are let go, and all records; ${lost} of these it never got.`)
    onChange()
  }

  /** The server need not know the device any longer. */
  async function confirm(deviceId: string, signal: AbortSignal): Promise<void> {
    try {
      await says('done', deviceId, signal)
      confirmed = true
    } catch (error) {
      // 404: it knows already. Anything else is tried again with the next try to pair.
      confirmed = isMissing(error)
    }
  }

  return {
    async wasRemoved(signal) {
      try {
        const deviceId = store.removed() ?? store.deviceId()
        if (deviceId === null) return false
        if (store.removed() === null) {
          if (!(await says('asked', deviceId, signal))) return false
          letGo()
        }
        if (!confirmed) await confirm(deviceId, signal)
        return true
      } catch {
        return store.removed() !== null
      }
    },
  }
}
