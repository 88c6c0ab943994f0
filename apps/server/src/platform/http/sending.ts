/** Answers that are sent as they are: encoded ones, and files. */
import { gunzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { safeParse } from 'zod'
import type { Call, Envelope } from '@gatehouse/contract'
import type { FileAnswer, Platform } from '../context.ts'
import type { EncodedAnswer } from './encoded.ts'
import { RangedFile } from './ranged-file.ts'

/** Return the range of a Range header, `bytes=from-to`; null where there is none that can be served, so that everything is sent. */
function rangeOf(request: FastifyRequest, { etag, size }: { etag: string; size: number }): { from: number; to: number } | null {
  const match = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '')
  const condition = request.headers['if-range']
  if (match === null || (condition !== undefined && condition !== etag)) return null
  const from = Number(match[1])
  const to = match[2] === '' ? size - 1 : Math.min(Number(match[2]), size - 1)
  return from <= to ? { from, to } : null
}

/** Send an answer that is already encoded; an interrupted client resumes it by Range. */
export function sendEncoded(
  { config }: Pick<Platform, 'config'>,
  call: Call,
  answer: EncodedAnswer,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  if (config.checkAnswers && call.data !== undefined) {
    const result = safeParse(call.data, (JSON.parse(gunzipSync(answer.bytes).toString()) as Envelope).data)
    if (!result.success) throw new Error(`${call.method} ${call.url} answers outside its contract: ${JSON.stringify(result.error.issues)}`)
  }
  reply.type('application/json; charset=utf-8').headers({ etag: answer.etag, vary: 'Accept-Encoding', 'accept-ranges': 'bytes' })
  if (request.headers['if-none-match'] === answer.etag) return reply.status(304).send()
  if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return reply.send(gunzipSync(answer.bytes))
  reply.header('content-encoding', 'gzip')
  const range = rangeOf(request, { etag: answer.etag, size: answer.bytes.length })
  if (range === null) return reply.send(answer.bytes)
  return reply
    .status(206)
    .header('content-range', `bytes ${range.from}-${range.to}/${answer.bytes.length}`)
    .send(answer.bytes.subarray(range.from, range.to + 1))
}

/** Send a file, or the requested part of it. */
function sendRanged(file: RangedFile, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  reply.headers({ etag: file.etag, 'accept-ranges': 'bytes' })
  const range = rangeOf(request, file)
  if (range === null) return reply.header('content-length', file.size).send(file.read(0, file.size))
  const { from, to } = range
  return reply
    .status(206)
    .headers({ 'content-range': `bytes ${from}-${to}/${file.size}`, 'content-length': to - from + 1 })
    .send(file.read(from, to + 1))
}

/** Send a file under its name. */
export function sendFile({ filename, contentType, bytes }: FileAnswer, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (filename !== undefined) reply.header('Content-Disposition', `attachment; filename*=UTF-8''${encodeURIComponent(filename)}`)
  reply.type(contentType)
  return bytes instanceof RangedFile ? sendRanged(bytes, request, reply) : reply.send(bytes)
}
