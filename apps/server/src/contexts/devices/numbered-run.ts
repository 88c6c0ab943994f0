/**
 * Selection of what follows on from what is stored of what a device numbers: records, events, captures. Pure, so that it can be tested
 * with hostile numbers.
 */

/** Sequence numbers for which no record will arrive, both ends inclusive. */
interface Gap {
  from: number
  to: number
}

export interface NumberedRun<R> {
  /** Ascending, each number once. */
  records: R[]
  gaps: Gap[]
  /** The highest number that is stored or given up once the run is stored. */
  ackSeq: number
}

/**
 * Return what messages of one device and epoch add, in their order. Repeats are skipped. Numbers missing below a message's
 * `oldestSeq` are no longer on the device and become a gap; a number missing from there on ends the run.
 * @param ack the highest number stored so far
 */
export function numberedRun<R extends { seq: number }>(
  ack: number,
  messages: readonly { oldestSeq: number; records: readonly R[] }[],
): NumberedRun<R> {
  const run: NumberedRun<R> = { records: [], gaps: [], ackSeq: ack }
  /** Give up the numbers after the last one taken, up to `to`. */
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
