/** Pairing over HTTP: device and server agree on the device's identity, on the records already stored, and on how the broker is reached. */
import type { DataOf } from '@gatehouse/contract'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { PROTOCOL_VERSION } from '@gatehouse/contract/device/protocol'
import type { ExceptionsReport } from './exceptions-report.ts'
import { sentenceOf } from './link-failure.ts'
import type { SealedCredentials } from './sealed-credentials.ts'
import type { ServerConnection } from './server.ts'
import type { Store, StoredUpTo } from './store.ts'

export type Paired = DataOf<typeof deviceProtocolCalls.pair>

export interface PairingOptions {
  version: string
  modelId: string
  client: ServerConnection
  store: Store
  sealedCredentials: SealedCredentials
  clock: () => number
  log: (sentence: string) => void
}

export interface Pairing {
  /**
   * Pair, and report which persons cannot be recognised.
   * @throws ServerAway, ServerRefused; StoreUnusable when the data folder belongs to another device
   */
  pair(signal: AbortSignal): Promise<Paired>
  /** The server's clock minus ours at their last contact, in milliseconds; null before. */
  clockOffset(): number | null
  /** Record numbers to continue from, if the outbox could not store them at the last pairing. */
  startAt(): readonly StoredUpTo[]
}

/** Most epochs named in a pairing. Each restored data folder adds one, so there are never as many. */
const EPOCHS = 100

export function createPairing(
  { version, modelId, client, store, sealedCredentials, clock, log }: PairingOptions,
  exceptions: ExceptionsReport,
): Pairing {
  let clockOffset: number | null = null
  let startAt: readonly StoredUpTo[] = []

  /** Adopt what the server has stored. On a full disk that fails; the device continues from there all the same. */
  function reconcile(stored: Paired['stored']): void {
    startAt = []
    try {
      const outcome = store.outbox.reconcile(stored)
      if (outcome === 'resending') log('The server no longer has all records it acknowledged; they are sent again.')
      if (outcome === 'newEpoch') log('The server holds records this device no longer knows; numbering begins anew.')
    } catch (error) {
      startAt = stored
      log(`What the server has could not be noted: ${sentenceOf(error)}`)
    }
  }

  return {
    async pair(signal) {
      const sentAt = clock()
      const body = {
        protocol: PROTOCOL_VERSION,
        version,
        modelId,
        epochs: store.outbox.epochs().slice(-EPOCHS),
        sealingKey: sealedCredentials.begin(),
      } as const
      const paired = await client.request(deviceProtocolCalls.pair, { body }, { signal })
      clockOffset = Math.round(paired.serverTime - (sentAt + clock()) / 2)
      store.bind(paired.deviceId)
      sealedCredentials.take(paired.credentialsKey)
      reconcile(paired.stored)
      // Sent before the status: a server that reads there which persons are stored must already know which of them cannot be recognised.
      await exceptions.send({ always: true, signal })
      return paired
    },
    clockOffset: () => clockOffset,
    startAt: () => startAt,
  }
}
