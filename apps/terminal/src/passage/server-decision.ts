/** The server's part in a decision: the second verification of a passage, and the identification of persons not stored here. */
import type { Awaited, Decision, SecondVerification } from '@gatehouse/access-rules'
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import type { DataOf } from '@gatehouse/contract'
import { ServerAway, type ServerClient } from '../device/server.ts'
import { encodeTemplate } from '../store/template.ts'

export type AwaitedVerification = Extract<Awaited, { what: 'secondVerification' }>

export interface ServerDecisionOptions {
  client: ServerClient
  online: () => boolean
  /** Model of the embeddings. */
  modelId: string
  /** Milliseconds the server has to identify a face while somebody waits at the door. */
  identifyWithin: number
}

export interface ServerDecision {
  /** Search for a face among all persons of the park; null if the server does not answer in time. */
  identify(embedding: Float32Array): Promise<DataOf<typeof deviceProtocolCalls.identify> | null>
  /** Return the server's decision about a passage that the terminal itself would allow. */
  verify(
    /** `passId`: of the pass for one use that was shown; null if there is none. */
    about: Pick<Decision, 'contactId'> & { personId: string; passId: string | null },
    awaited: AwaitedVerification,
    moment: number,
    score: number | null,
  ): Promise<SecondVerification>
}

export function createServerDecision({ client, online, modelId, identifyWithin }: ServerDecisionOptions): ServerDecision {
  return {
    async identify(embedding) {
      try {
        const body = { modelId, template: encodeTemplate(embedding) }
        return await client.request(deviceProtocolCalls.identify, { body }, { timeout: identifyWithin })
      } catch {
        return null
      }
    },
    async verify({ personId, contactId, passId }, { method, timeoutMs }, moment, score) {
      if (!online()) return { outcome: 'offline' }
      try {
        const answer = await client.request(
          deviceProtocolCalls.verify,
          { body: { personId, moment, method, score, ...(contactId !== null && { contactId }), ...(passId !== null && { passId }) } },
          { timeout: timeoutMs },
        )
        return answer.allowed
          ? { outcome: 'confirmed' }
          : { outcome: 'refused', failReason: answer.failReason, restriction: answer.restriction ?? null }
      } catch (error) {
        return { outcome: outcomeOf(error) }
      }
    },
  }
}

/** Without an answer the server counts as offline. An answer that is no verdict counts as a failure. */
function outcomeOf(error: unknown): SecondVerification['outcome'] {
  if (!(error instanceof ServerAway)) return 'failed'
  if (error.timedOut) return 'timedOut'
  return error.status === null ? 'offline' : 'failed'
}
