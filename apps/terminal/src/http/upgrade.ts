/** `POST /upgrade`: somebody at the screen agrees to the upgrade that waits. */
import type { FastifyInstance } from 'fastify'
import type { UpgradeAgent } from '../upgrade/agent.ts'
import { isWelcome } from './origin.ts'

/** @param allowFrames whether other machines may do what the screen may */
export function serveUpgrade(
  server: FastifyInstance,
  { agent, allowFrames }: { agent: Pick<UpgradeAgent, 'agree'>; allowFrames: boolean },
): void {
  server.post('/upgrade', async (request, reply) => {
    if (!isWelcome(request, allowFrames)) return reply.code(403).send({ reason: 'notAllowedFromHere' })
    return agent.agree() ? { agreed: true } : reply.code(409).send({ reason: 'nothingWaits' })
  })
}
