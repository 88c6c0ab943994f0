/** The tables of this area as the migrations leave them. `tests/integration/tables.test.ts -u` writes them. */
import type { Generated } from 'kysely'
import type { Json } from './json.ts'

declare module './stored-tables.ts' {
  interface StoredTables {
    dataKey: {
      parkId: string
      wrapped: Buffer
    }
    eventConsumer: {
      name: string
      seq: number
    }
    eventFailure: {
      consumer: string
      eventId: string
      seq: number
      reason: string
      createdAt: number
    }
    file: {
      id: string
      parkId: string
      use: string
      contentType: string
      kept: boolean
      createdAt: number
      uploadedBy: string | null
      size: number | null
      bound: Generated<boolean>
    }
    history: {
      entity: string
      entityId: string
      revision: number
      parkId: string
      validFrom: number
      validTo: number | null
      content: Json<unknown>
    }
    historyComplete: {
      one: Generated<boolean>
      since: number
    }
    message: {
      id: string
      channel: string
      content: Buffer
      state: string
      attempts: Generated<number>
      reason: string | null
      createdAt: number
      sentAt: number | null
      nextAt: number
      claimedUntil: number | null
      userId: string | null
      textUntil: number | null
    }
    outbox: {
      id: string
      name: string
      parkId: string
      payload: Json<unknown>
      seq: number | null
      createdAt: number
    }
    outboxHead: {
      one: Generated<boolean>
      seq: number
    }
    scheduledJob: {
      name: string
      schedule: string
      dueAt: number
      tries: Generated<number>
      startedAt: number | null
      endedAt: number | null
      output: Json<unknown> | null
    }
    work: {
      id: string
      parkId: string
      kind: string
      state: string
      input: Json<unknown>
      kept: Json<unknown> | null
      done: Generated<number>
      total: number | null
      failed: Generated<number>
      reason: string | null
      runner: string | null
      beatAt: number | null
      createdAt: number
      startedAt: number | null
      endedAt: number | null
      servedAt: number | null
    }
  }
}
