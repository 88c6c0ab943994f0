/**
 * Handling of a server that no longer accepts code and secret, because it may have deleted the device. The device believes it only if it
 * proves that it knows the secret and the id under which the device was paired. A wrong secret, another server or one restored from a
 * backup cannot cause a removal.
 */
import { randomBytes } from 'node:crypto'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { removalText, type RemovalSaid } from '@gatehouse/contract/device/removal'
import { isProofOf, keyOfSecret, proofOf } from './handshake.ts'
import type { StoredPersons } from './stored-persons.ts'
import { isMissing, type ServerClient } from './server.ts'
import type { Store } from './store.ts'

export interface RemovalOptions {
  code: string
  secret: string
  client: ServerClient
  store: Store
  stored: StoredPersons
  log: (sentence: string) => void
  onChange: () => void
}

export interface Removal {
  /**
   * Ask the server; if it confirms the removal, delete all data of its persons, and report that. Never throws.
   * @returns whether the device was removed
   */
  wasRemoved(signal: AbortSignal): Promise<boolean>
}

export function createRemoval({ code, secret, client, store, stored, log, onChange }: RemovalOptions): Removal {
  const key = keyOfSecret(secret)
  let confirmed = false

  /** Return whether the server confirms that this device was removed. @throws ServerAway, ServerRefused */
  async function confirmsRemoval(statement: Exclude<RemovalSaid, 'removed'>, deviceId: string, signal: AbortSignal): Promise<boolean> {
    const nonce = randomBytes(24).toString('base64url')
    const answer = await client.request(
      deviceProtocolCalls.removal,
      { body: { code, nonce, proof: proofOf(key, removalText(statement, code, nonce)), done: statement === 'done' } },
      { signal },
    )
    return answer.deviceId === deviceId && isProofOf(key, removalText('removed', code, nonce, deviceId), answer.proof)
  }

  function dropAll(): void {
    confirmed = false
    const { persons, failed } = stored.holdings.counts()
    stored.take({ persons: [], exceptions: [], removed: [...stored.holdings.versions()].map(([id]) => id), position: null })
    const settings = stored.holdings.settings()
    // Settings without a secrets revision delete the secrets as well, and a device that is no visitor machine keeps no visits.
    if (settings !== null) {
      const { visitorMachine: _machine, ...others } = settings
      stored.holdings.apply({ revision: '', audience: '', settings: { ...others, secretsRevision: '' }, strategies: [], timeRules: [] })
    }
    const lost = store.release()
    log(`The server has removed this device. ${persons + failed} persons are let go, and all records; ${lost} of these it never got.`)
    onChange()
  }

  /** Report the deletion, after which the server need no longer remember the device. */
  async function confirm(deviceId: string, signal: AbortSignal): Promise<void> {
    try {
      await confirmsRemoval('done', deviceId, signal)
      confirmed = true
    } catch (error) {
      // 404: the server knows already. After any other error the report is repeated with the next attempt to pair.
      confirmed = isMissing(error)
    }
  }

  return {
    async wasRemoved(signal) {
      try {
        const deviceId = store.removed() ?? store.deviceId()
        if (deviceId === null) return false
        if (store.removed() === null) {
          if (!(await confirmsRemoval('asked', deviceId, signal))) return false
          dropAll()
        }
        if (!confirmed) await confirm(deviceId, signal)
        return true
      } catch {
        return store.removed() !== null
      }
    },
  }
}
