/** `POST /upgrade`: a person at the screen agrees to the pending upgrade. */
import type { FastifyInstance } from 'fastify'
import type { UpgradeAgent } from '../upgrade/agent.ts'

/** Serve the agreement, for callers that may see the screen. */
export function serveUpgrade(server: FastifyInstance, { agent }: { agent: Pick<UpgradeAgent, 'agree'> }): void {
  server.post('/upgrade', { config: { reach: 'screen' } }, async (_request, reply) =>
    agent.agree() ? { agreed: true } : reply.code(409).send({ reason: 'nothingWaits' }),
  )
}
