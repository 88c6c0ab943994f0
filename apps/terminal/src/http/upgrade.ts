/** `POST /upgrade`: somebody at the screen agrees to the upgrade that waits. */
import type { FastifyInstance } from 'fastify'
import type { UpgradeAgent } from '../upgrade/agent.ts'

/** Serves the agreement to whoever sees the screen. */
export function serveUpgrade(server: FastifyInstance, { agent }: { agent: Pick<UpgradeAgent, 'agree'> }): void {
  server.post('/upgrade', { config: { reach: 'screen' } }, async (_request, reply) =>
    agent.agree() ? { agreed: true } : reply.code(409).send({ reason: 'nothingWaits' }),
  )
}
