/** Handlers of the calls on access records and on people with one photograph. */
import { recordCalls } from '@gatehouse/contract/records/calls'
import { secondPhotographCalls } from '@gatehouse/contract/records/second-photographs'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { LinkedRecords } from './linked-records.ts'
import type { RecordService } from './records.ts'
import type { SecondPhotographs } from './second-photographs.ts'
import type { Why } from './why.ts'

interface Parts {
  records: RecordService
  linkedRecords: LinkedRecords
  secondPhotographs: SecondPhotographs
  why: Why
}

export const recordHandlers = ({ records, linkedRecords, secondPhotographs, why }: Parts): MountedCall[] => [
  handler(recordCalls.find, ({ scope, body }) => records.list(scope, body)),
  handler(recordCalls.read, ({ scope, params }) => records.read(scope, params.id)),
  handler(recordCalls.why, ({ session, params, language }) => why(session, params.id, language)),
  handler(recordCalls.delete, async ({ scope, params }) => {
    await records.delete(scope, params.id)
    return { id: params.id }
  }),
  handler(recordCalls.ofPerson, ({ scope, query }) => records.ofPerson(scope, query)),
  handler(recordCalls.linkedOfPerson, ({ scope, query }) => linkedRecords(scope, query)),

  handler(secondPhotographCalls.list, ({ scope, query }) => secondPhotographs.list(scope, query)),
  handler(secondPhotographCalls.offer, ({ scope, params }) => secondPhotographs.offer(scope, params.id)),
  handler(secondPhotographCalls.answer, async ({ scope, session, params, body }) => {
    await secondPhotographs.answer(scope, session, params.id, body)
    return { id: params.id }
  }),
]
