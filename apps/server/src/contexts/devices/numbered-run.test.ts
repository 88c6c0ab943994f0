import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { numberedRun } from './numbered-run.ts'

const message = (seqs: number[], oldestSeq = 1) => ({ oldestSeq, records: seqs.map((seq) => ({ seq })) })
const taken = (ack: number, ...messages: ReturnType<typeof message>[]) => {
  const { records, gaps, ackSeq } = numberedRun(ack, messages)
  return { records: records.map(({ seq }) => seq), gaps: gaps.map(({ from, to }) => [from, to]), ackSeq }
}

describe('what follows on from what is stored', () => {
  test('ends at the first number that is missing', () => {
    expect(taken(2, message([3, 4, 6]))).toEqual({ records: [3, 4], gaps: [], ackSeq: 4 })
    expect(taken(0, message([2]))).toEqual({ records: [], gaps: [], ackSeq: 0 })
  })

  test('passes over repeats, in any order, and goes on from message to message', () => {
    expect(taken(2, message([4, 3, 3, 1]), message([2, 4, 5]), message([6]))).toEqual({ records: [3, 4, 5, 6], gaps: [], ackSeq: 6 })
  })

  test('passes over what is gone below the oldest number, and only that', () => {
    expect(taken(2, message([10, 11], 10))).toEqual({ records: [10, 11], gaps: [[3, 9]], ackSeq: 11 })
    expect(taken(2, message([12], 10))).toEqual({ records: [], gaps: [[3, 9]], ackSeq: 9 })
    expect(taken(20, message([10, 21], 10))).toEqual({ records: [21], gaps: [], ackSeq: 21 })
  })

  test('takes what was sent after all below the oldest number', () => {
    expect(taken(4, message([5, 50], 100))).toEqual({
      records: [5, 50],
      gaps: [
        [6, 49],
        [51, 99],
      ],
      ackSeq: 99,
    })
  })

  test('stores or gives up each number once, whatever is sent', () => {
    const seq = fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: Number.MAX_SAFE_INTEGER - 5, max: Number.MAX_SAFE_INTEGER }))
    const records = fc.array(
      seq.map((number) => ({ seq: number })),
      { minLength: 1, maxLength: 20 },
    )
    const messages = fc.array(fc.record({ oldestSeq: seq, records }), { maxLength: 6 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 30 }), messages, (ack, sent) => {
        const { records: stored, gaps, ackSeq } = numberedRun(ack, sent)
        const pieces = [...stored.map((record) => ({ from: record.seq, to: record.seq })), ...gaps].toSorted(
          (one, other) => one.from - other.from,
        )
        let reached = ack
        for (const { from, to } of pieces) {
          expect(from).toBe(reached + 1)
          expect(to).toBeGreaterThanOrEqual(from)
          reached = to
        }
        expect(ackSeq).toBe(reached)
        for (const gap of gaps) expect(sent.some(({ oldestSeq }) => gap.to < oldestSeq)).toBe(true)
      }),
    )
  })
})
