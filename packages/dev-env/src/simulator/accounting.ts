/** What a device made and holds, counted from its store and not by what it says, and what the server says it should hold. */
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol'
import { recordId } from '@gatehouse/terminal/device/record-id'
import type { ServerClient } from '@gatehouse/terminal/device/server'
import type { Account, Holding } from './proof.ts'
import type { SimulatedDevice } from './simulated-device.ts'

/**
 * @param given ids of records that were given out while it ran
 * @param client asks as the device does, over a line nothing is wrong with
 */
export async function accountOf(device: SimulatedDevice, given: ReadonlySet<string>, client: ServerClient): Promise<Account> {
  const { disk } = device.store
  const deviceId = disk.deviceId() ?? ''
  // Also what was durable when the power failed before anybody heard of it.
  const numbered = disk.outbox
    .made()
    .flatMap(({ epoch, upTo }) => Array.from({ length: upTo }, (_, index) => recordId(deviceId, epoch, index + 1)))
  return { deviceId, code: device.code, made: new Set([...given, ...numbered]), held: heldBy(device), wanted: await wantedOf(client) }
}

/** Persons of an audience, in number and as the sum of their versions. @throws ServerAway, ServerRefused */
export async function audienceOf(client: ServerClient, audience: string): Promise<Pick<Holding, 'digest' | 'persons'>> {
  const { buckets, persons } = await client.request(deviceProtocolCalls.digest, { params: { audience } })
  return { digest: sumOf(buckets), persons }
}

/** What a device holds by its store; null before the first time. */
export function heldBy({ store }: SimulatedDevice): Holding | null {
  const { holdings } = store.disk
  const position = holdings.position()
  const versions = [...holdings.versions()].map(([, version]) => version)
  return position && { revision: holdings.revision(), audience: position.audience, digest: sumOf(versions), persons: versions.length }
}

/** What the server says a device should hold; null where it does not answer. */
export async function wantedOf(client: ServerClient): Promise<Holding | null> {
  try {
    const { revision, audience } = await client.request(deviceProtocolCalls.manifest, {})
    return { revision, audience, ...(await audienceOf(client, audience)) }
  } catch {
    return null
  }
}

/** Modulo 2^64. @param words as 16 hexadecimal digits each */
function sumOf(words: Iterable<string>): string {
  let sum = 0n
  for (const word of words) sum += BigInt(`0x${word}`)
  return BigInt.asUintN(64, sum).toString(16).padStart(16, '0')
}
