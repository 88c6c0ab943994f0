/** The holdings with their digest, which follows each change without being counted anew. */
import { bucketOf, DIGEST_BUCKETS, type HeldState } from '@gatehouse/contract/device/protocol'
import type { Holdings, HoldingsChange } from './store.ts'

/** What the log says where something did not fit. */
export const TAMPERED =
  'What is kept here was changed by others. Whoever it concerns does not pass until the server has sent them, or the rules, anew.'

export interface HeldPersons {
  readonly holdings: Holdings
  /** As `Holdings.take`, and the digest follows. */
  take(change: HoldingsChange): void
  /** Sum of the versions of everybody held, as 16 hexadecimal digits. */
  digest(): string
  /** The same for one bucket. */
  bucketDigest(bucket: number): string
  /** As `Holdings.verify`, and the digest follows. @returns whether everything was as it should be */
  verify(): Promise<boolean>
  /** Counts the digest anew from what is kept. @returns whether it was as it should be */
  recount(): boolean
  /** Another number whenever an exception came, went, or was tried again in vain. */
  exceptionsState(): number
  /** Of what the server is told, what is about persons; null until they were taken whole for the first time. */
  state(): HeldState | null
}

/** Begins by counting. @param onTaken something of what is held is another */
export function createHeldPersons(holdings: Holdings, onTaken: () => void = () => {}): HeldPersons {
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
      const touched = new Set([...change.persons.map(({ id }) => id), ...change.exceptions.map(({ personId }) => personId), ...change.gone])
      const before = [...touched].map((id) => [id, holdings.version(id), holdings.exceptions().has(id)] as const)
      holdings.take(change)
      for (const [id, version, wasException] of before) {
        if (wasException || holdings.exceptions().has(id)) exceptionsState++
        if (version !== undefined) add(sums, id, -numberOf(version))
        const now = holdings.version(id)
        if (now !== undefined) add(sums, id, numberOf(now))
      }
      onTaken()
    },
    digest,
    bucketDigest: (bucket) => wordOf(sums[bucket]!),
    async verify() {
      const found = await holdings.verify()
      if (found === null) return true
      sums = counted()
      exceptionsState++
      onTaken()
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

/** The array keeps the sum within 64 bits. */
function add(buckets: BigUint64Array, personId: string, value: bigint): void {
  buckets[bucketOf(personId)]! += value
}
