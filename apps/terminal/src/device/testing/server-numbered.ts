/** The calls of numbered events and captures at the terminal's test server. */
import type { FastifyInstance } from 'fastify'
import type { z } from 'zod'
import { numberedCalls } from '@gatehouse/contract/device/numbered'
import { address, ok } from './answers.ts'
import { breakOff } from './server-visits.ts'

interface Stored {
  seq: number
}

export interface TestNumbered {
  /** False: it answers like a server without these calls. */
  isSupported: boolean
  /** Items stored, by epoch; deleting some restores the server from a backup. */
  items: Map<string, Stored[]>
  /** The number that it claims to have of an epoch, in place of the real one. */
  claimed: Map<string, number>
  /** The models that messages of captures named. */
  models: string[]
  /** How many items each message had. */
  messages: number[]
  /** Pictures by epoch and number. */
  pictures: Map<string, Uint8Array>
  /** Captures that came from memory, each as often as it was sent. */
  passing: z.output<typeof numberedCalls.passingCapture.body>[]
  lost: z.output<typeof numberedCalls.lostCaptures.body>[]
  /** Store the next items, and break the connection before the answer. */
  losesNextAnswer: boolean
}

export function serveNumbered(http: FastifyInstance): TestNumbered {
  const server: TestNumbered = {
    isSupported: true,
    items: new Map(),
    claimed: new Map(),
    models: [],
    messages: [],
    pictures: new Map(),
    passing: [],
    lost: [],
    losesNextAnswer: false,
  }
  const missing = { code: 404, message: 'Not found.' }

  function take({ epoch, oldestSeq }: { epoch: string; oldestSeq: number }, items: readonly Stored[]): number {
    server.messages.push(items.length)
    const stored = server.items.get(epoch) ?? []
    server.items.set(epoch, stored)
    let ackSeq = stored.at(-1)?.seq ?? 0
    ackSeq = Math.max(ackSeq, oldestSeq - 1)
    for (const item of items) {
      if (item.seq !== ackSeq + 1) continue
      stored.push(item)
      ackSeq++
    }
    return server.claimed.get(epoch) ?? ackSeq
  }

  http.post(numberedCalls.events.url, async (request, reply) => {
    if (!server.isSupported) return reply.code(404).send(missing)
    const { events, ...message } = numberedCalls.events.body.parse(request.body)
    const ackSeq = take(message, events)
    if (events.length === 0 || !server.losesNextAnswer) return ok({ ackSeq })
    server.losesNextAnswer = false
    return breakOff(reply)
  })
  http.post(numberedCalls.captures.url, async (request, reply) => {
    if (!server.isSupported) return reply.code(404).send(missing)
    const { captures, modelId, ...message } = numberedCalls.captures.body.parse(request.body)
    if (captures.length > 0) server.models.push(modelId)
    return ok({ ackSeq: take(message, captures) })
  })
  http.post(numberedCalls.passingCapture.url, async (request, reply) => {
    server.passing.push(numberedCalls.passingCapture.body.parse(request.body))
    if (!server.losesNextAnswer) return ok({})
    server.losesNextAnswer = false
    return breakOff(reply)
  })
  http.post(numberedCalls.lostCaptures.url, async (request) => {
    server.lost.push(numberedCalls.lostCaptures.body.parse(request.body))
    return ok({})
  })
  for (const call of [numberedCalls.eventPicture, numberedCalls.capturePicture])
    http.post(address(call), async (request, reply) => {
      const { epoch, seq } = call.params.parse(request.params)
      if (!server.items.get(epoch)?.some((item) => item.seq === seq)) return reply.code(404).send(missing)
      server.pictures.set(`${epoch}/${seq}`, request.body as Uint8Array)
      return ok({})
    })
  return server
}
