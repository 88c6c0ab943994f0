/** Which of a device's records follow on from what is stored. Pure, so that hostile numbers can be tried on it. */
import type { RecordsMessage } from '@gatehouse/contract/device/protocol'

/** Numbers that no record will come for, both ends inclusive. */
interface Gap {
  from: number
  to: number
}

export interface Run<R> {
  /** Ascending, each number once. */
  records: R[]
  gaps: Gap[]
  /** The highest number that is stored, or gone, once the run is. */
  ackSeq: number
}

/**
 * Takes messages of one device and epoch in their order. Repeats are passed over. What is missing below a message's
 * `oldestSeq` is gone at the device and becomes a gap; what is missing from there on ends the run.
 * @param ack the highest number stored so far
 */
export function runOf<R extends { seq: number }>(
  ack: number,
  messages: readonly (Pick<RecordsMessage, 'oldestSeq'> & { records: readonly R[] })[],
): Run<R> {
  const run: Run<R> = { records: [], gaps: [], ackSeq: ack }
  /** Gives up the numbers after the last one taken, up to `to`. */
  const giveUp = (to: number) => {
    if (to <= run.ackSeq) return
    run.gaps.push({ from: run.ackSeq + 1, to })
    run.ackSeq = to
  }
  for (const { oldestSeq, records } of messages) {
    for (const record of records.toSorted((one, other) => one.seq - other.seq)) {
      if (record.seq <= run.ackSeq) continue
      giveUp(Math.min(oldestSeq, record.seq) - 1)
      if (record.seq !== run.ackSeq + 1) break
      run.records.push(record)
      run.ackSeq = record.seq
    }
    giveUp(oldestSeq - 1)
  }
  return run
}
