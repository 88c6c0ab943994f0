/** What a device made and stores, counted from its store and not from its reports, and what the server says it should store. */
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { recordId } from '@gatehouse/terminal/device/record-id'
import type { ServerClient } from '@gatehouse/terminal/device/server'
import type { Account, Holding } from './proof.ts'
import type { SimulatedDevice } from './simulated-device.ts'

/**
 * Return the account of a device.
 * @param given ids of records that were given out while it ran
 * @param client sends requests as the device does, over a line without faults
 */
export async function accountOf(device: SimulatedDevice, given: ReadonlySet<string>, client: ServerClient): Promise<Account> {
  const { disk } = device.store
  const deviceId = disk.deviceId() ?? ''
  // Includes records that were durable when the power failed before anybody learned of them.
  const numbered = disk.outbox
    .made()
    .flatMap(({ epoch, upTo }) => Array.from({ length: upTo }, (_, index) => recordId(deviceId, epoch, index + 1)))
  return {
    deviceId,
    code: device.code,
    made: new Set([...given, ...numbered]),
    stored: storedBy(device),
    expected: await desiredHoldingOf(client),
  }
}

/** Return the number of persons of an audience, and the sum of their versions. @throws ServerAway, ServerRefused */
export async function audienceOf(client: ServerClient, audience: string): Promise<Pick<Holding, 'digest' | 'persons'>> {
  const { buckets, persons } = await client.request(deviceProtocolCalls.digest, { params: { audience } })
  return { digest: sumOf(buckets), persons }
}

/** Return what a device holds by its store; null before its first synchronisation. */
export function storedBy({ store }: SimulatedDevice): Holding | null {
  const { holdings } = store.disk
  const position = holdings.position()
  const versions = [...holdings.versions()].map(([, version]) => version)
  return position && { revision: holdings.revision(), audience: position.audience, digest: sumOf(versions), persons: versions.length }
}

/** Return what the server says a device should hold; null where it does not answer. */
export async function desiredHoldingOf(client: ServerClient): Promise<Holding | null> {
  try {
    const { revision, audience } = await client.request(deviceProtocolCalls.manifest, {})
    return { revision, audience, ...(await audienceOf(client, audience)) }
  } catch {
    return null
  }
}

/** Return the sum modulo 2^64. @param words 16 hexadecimal digits each */
function sumOf(words: Iterable<string>): string {
  let sum = 0n
  for (const word of words) sum += BigInt(`0x${word}`)
  return BigInt.asUintN(64, sum).toString(16).padStart(16, '0')
}
