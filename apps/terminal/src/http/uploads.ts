/** How many pictures may be in memory at once. A request waits here before its body is read, so a crowd costs sockets, not memory. */
import type { FastifyReply } from 'fastify'

export interface UploadGate {
  /** Waits for a place, which is free again when the answer is sent. @returns false when too many wait already */
  enter(reply: FastifyReply): Promise<boolean>
}

/**
 * @param places bodies read or worked on at once
 * @param waiting requests that may wait for a place
 */
export function createUploadGate(places: number, waiting: number): UploadGate {
  const queue: (() => void)[] = []
  let taken = 0

  function leave(): void {
    taken--
    queue.shift()?.()
  }

  return {
    async enter(reply) {
      if (taken >= places && queue.length >= waiting) return false
      let gone = false
      reply.raw.once('close', () => {
        gone = true
      })
      if (taken >= places) await new Promise<void>((resolve) => queue.push(resolve))
      taken++
      // Who hung up while waiting would never give the place back.
      if (gone) leave()
      else reply.raw.once('close', leave)
      return true
    },
  }
}
