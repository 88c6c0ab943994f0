/** Records as terminals send them, for tests. */
import { encodeChecks } from '@gatehouse/access-rules'
import type { RecordObject, RecordsMessage } from '@gatehouse/contract/device/protocol'

const CHECKS = encodeChecks([{ code: 'face', ok: true, score: 91, threshold: 70, distance: 0.3 }])

/** An allowed passage inwards by nobody in particular, unless told. */
export const passage = (seq: number, wishes: Partial<RecordObject> = {}): RecordObject => ({
  seq,
  occurredAt: 0,
  personId: null,
  personName: '',
  result: 1,
  failReason: null,
  verifyType: 1,
  direction: 1,
  score: 91,
  checks: CHECKS,
  revision: 'revision-1',
  hasPicture: false,
  ...wishes,
})

/** Passages numbered from 1. */
export const passages = (wishes: readonly Partial<RecordObject>[]): RecordObject[] => wishes.map((wish, index) => passage(index + 1, wish))

export const sentBy = (records: RecordObject[], { epoch = 'boot-1', sentAt = 0, oldestSeq = 1 } = {}): RecordsMessage => ({
  epoch,
  oldestSeq,
  sentAt,
  records,
})
