/** Limit of the pictures in memory at once. A request waits here before its body is read, so a crowd costs sockets, not memory. */
import type { FastifyReply } from 'fastify'

export interface UploadGate {
  /** Wait for a place, which becomes free again when the answer is sent. @returns false if too many wait already */
  enter(reply: FastifyReply): Promise<boolean>
}

/**
 * @param places bodies read or processed at once
 * @param waiting requests that may wait for a place
 */
export function createUploadGate(places: number, waiting: number): UploadGate {
  const queue: (() => void)[] = []
  let occupied = 0

  function leave(): void {
    occupied--
    queue.shift()?.()
  }

  return {
    async enter(reply) {
      if (occupied >= places && queue.length >= waiting) return false
      let hasHungUp = false
      reply.raw.once('close', () => {
        hasHungUp = true
      })
      if (occupied >= places) await new Promise<void>((resolve) => queue.push(resolve))
      occupied++
      // A caller that hung up while waiting would never release the place.
      if (hasHungUp) leave()
      else reply.raw.once('close', leave)
      return true
    },
  }
}
