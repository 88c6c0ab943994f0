/** The holdings with a digest that is updated at each change, without a recount. */
import { bucketOf, DIGEST_BUCKETS } from '@gatehouse/contract/device/protocol'
import type { DeviceHoldings } from '@gatehouse/contract/device/protocol-status'
import type { Holdings, HoldingsChange } from './store.ts'

/** Log message for stored data that do not match their marks. */
export const TAMPERED =
  'What is kept here was changed by others. Whoever it concerns does not pass until the server has sent them, or the rules, again.'

export interface StoredPersons {
  readonly holdings: Holdings
  /** As `Holdings.take`; the digest is updated. */
  take(change: HoldingsChange): void
  /** Return the sum of the versions of all stored persons, as 16 hexadecimal digits. */
  digest(): string
  /** Return the same sum for one bucket. */
  bucketDigest(bucket: number): string
  /** As `Holdings.verify`; the digest is updated. @returns whether everything was intact */
  verify(): Promise<boolean>
  /** Compute the digest again from the stored data. @returns whether it was correct */
  recount(): boolean
  /** Return a number that changes whenever an exception is added, is removed, or fails again. */
  exceptionsState(): number
  /** Return the persons' part of the status; null until they were taken completely for the first time. */
  state(): DeviceHoldings | null
}

/** Return the holdings; the digest is computed first. @param onChanged called when the stored data changed */
export function createStoredPersons(holdings: Holdings, onChanged: () => void = () => {}): StoredPersons {
  let sums = counted()
  let exceptionsState = 0

  function counted(): BigUint64Array {
    const buckets = new BigUint64Array(DIGEST_BUCKETS)
    for (const [id, version] of holdings.versions()) add(buckets, id, numberOf(version))
    return buckets
  }

  const digest = () =>
    wordOf(
      BigInt.asUintN(
        64,
        sums.reduce((total, bucket) => total + bucket, 0n),
      ),
    )

  return {
    holdings,
    take(change) {
      const touched = new Set([
        ...change.persons.map(({ id }) => id),
        ...change.exceptions.map(({ personId }) => personId),
        ...change.removed,
      ])
      const before = [...touched].map((id) => [id, holdings.version(id), holdings.exceptions().has(id)] as const)
      holdings.take(change)
      for (const [id, version, wasException] of before) {
        if (wasException || holdings.exceptions().has(id)) exceptionsState++
        if (version !== undefined) add(sums, id, -numberOf(version))
        const now = holdings.version(id)
        if (now !== undefined) add(sums, id, numberOf(now))
      }
      onChanged()
    },
    digest,
    bucketDigest: (bucket) => wordOf(sums[bucket]!),
    async verify() {
      const found = await holdings.verify()
      if (found === null) return true
      sums = counted()
      exceptionsState++
      onChanged()
      return false
    },
    recount() {
      const followed = sums
      sums = counted()
      return sums.every((sum, bucket) => sum === followed[bucket])
    },
    exceptionsState: () => exceptionsState,
    state() {
      const position = holdings.position()
      return position && { revision: holdings.revision(), ...position, digest: digest(), ...holdings.counts() }
    },
  }
}

const numberOf = (word: string) => BigInt(`0x${word}`)
const wordOf = (sum: bigint) => sum.toString(16).padStart(16, '0')

/** Add to the sum of a bucket. The array keeps the sum within 64 bits. */
function add(buckets: BigUint64Array, personId: string, value: bigint): void {
  buckets[bucketOf(personId)]! += value
}
