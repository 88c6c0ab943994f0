/** Answers a call: checks the request, runs the handler, records reads of personal data and masks them. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { safeParse } from 'zod'
import { isWrite, languageOf, type Language } from '@gatehouse/contract'
import type { CallRequest, FileAnswer, MountedCall, Platform } from '../context.ts'
import { limitedSession } from '../session/device-limits.ts'
import type { MaskedSearches } from '../session/masked-searches.ts'
import { maskerOf } from '../session/masking.ts'
import { EncodedAnswer } from './encoded.ts'
import { envelope } from './error-answer.ts'
import { checkRequest } from './request-check.ts'
import { formerNamesAdder } from './request-keys.ts'
import { sendEncoded, sendFile } from './sending.ts'
import { createSentBack, type UncheckedRequest } from './sent-back.ts'
import { subjectsOf } from './subjects.ts'
import type { UploadedForm } from './uploads.ts'

export const languageOfRequest = (request: FastifyRequest): Language => languageOf(request.headers['accept-language'])
/** Return whether the request states a language; programs send `*` or no header. */
const statesLanguage = ({ headers }: FastifyRequest): boolean => /^\s*[a-z]/i.test(headers['accept-language'] ?? '')

/** Return what a handler receives besides the parts of the request. */
function contextOf(call: MountedCall['call'], request: FastifyRequest, reply: FastifyReply, file: UploadedForm['file']) {
  const session = request.session === null ? null : limitedSession(request.session, call)
  const abort = new AbortController()
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) abort.abort()
  })
  return {
    file,
    link: request.link,
    language: languageOfRequest(request),
    statedLanguage: statesLanguage(request) ? languageOfRequest(request) : null,
    ip: request.ip,
    host: request.host,
    origin: `${request.protocol}://${request.host}`,
    agent: (request.headers['user-agent'] ?? '').slice(0, 200),
    client: request.client,
    session,
    scope: session?.scope ?? (request.device === null ? null : { parkId: request.device.parkId }),
    device: request.device,
    signal: abort.signal,
  }
}

export interface RespondingParts {
  platform: Platform
  calls: readonly MountedCall[]
  maskedSearches: MaskedSearches
}

/** Return a function that answers requests of a call. */
export function createResponder({ call, handle }: MountedCall, { platform, calls, maskedSearches }: RespondingParts) {
  const masker = maskerOf(call.data)
  const addFormerNames = formerNamesAdder(call.data)
  const sentBack = createSentBack(call, calls)
  const readsPersonal = (masker !== null || call.readsPersonal === true) && !isWrite(call)
  const { audit, config } = platform

  return async (request: FastifyRequest, reply: FastifyReply, { file, fields }: UploadedForm): Promise<unknown> => {
    const context = contextOf(call, request, reply, file)
    const { session } = context
    const odd = await sentBack(fields, context as UncheckedRequest)
    const parts = checkRequest(call, { params: request.params, query: request.query, body: fields }, odd)
    const input = { ...context, ...parts } as CallRequest
    const { ip } = request
    const { data, searched } = await maskedSearches.during(
      call,
      session,
      parts,
      () => audit.during(call, session, ip, () => handle(input)),
      () => {
        // The refusal does not reveal whose value it is, so no subject can be named.
        if (session !== null) audit.read(call, session, ip, [], true)
      },
    )
    if (data instanceof EncodedAnswer) return sendEncoded(platform, call, data, request, reply)
    if (call.produces === 'file') {
      const answer = data as FileAnswer
      if (session !== null && readsPersonal && answer.noted !== true) audit.read(call, session, ip, subjectsOf(null, parts))
      return sendFile(answer, request, reply)
    }
    if (config.checkAnswers && call.data !== undefined) {
      const result = safeParse(call.data, data)
      if (!result.success)
        throw new Error(`${call.method} ${call.url} answers outside its contract: ${JSON.stringify(result.error.issues)}`)
    }
    if (session !== null && readsPersonal) audit.read(call, session, ip, subjectsOf(data, parts), searched)
    const masked = masker !== null && session?.masking === true ? masker(data) : data
    const shown = addFormerNames === null ? masked : addFormerNames(masked)
    return call.produces === 'flat' ? { code: 0, message: '', ...(shown as object) } : envelope(0, '', shown)
  }
}
