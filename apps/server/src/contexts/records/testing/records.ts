/** Records as terminals send them, for tests. */
import { encodeChecks } from '@gatehouse/access-rules'
import type { RecordObject, RecordsMessage } from '@gatehouse/contract/device/protocol-records'

const CHECKS = encodeChecks([{ code: 'face', ok: true, score: 91, threshold: 70, distance: 0.3 }])

/** An allowed inward passage without a person, unless `fields` say otherwise. */
export const passage = (seq: number, fields: Partial<RecordObject> = {}): RecordObject => ({
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
  ...fields,
})

/** Passages numbered from 1. */
export const passages = (each: readonly Partial<RecordObject>[]): RecordObject[] => each.map((fields, index) => passage(index + 1, fields))

export const sentBy = (records: RecordObject[], { epoch = 'boot-1', sentAt = 0, oldestSeq = 1 } = {}): RecordsMessage => ({
  epoch,
  oldestSeq,
  sentAt,
  records,
})
