/**
 * Fields in a request's body that its call does not define. A record that was read can be sent back: fields of it that the call does not
 * change are accepted if they are as in the record. Everything else is refused by name.
 */
import { PAGE_SIZE_MAX, closesBody, type Call, type CallShape, type FieldIssue } from '@gatehouse/contract'
import { mayCall } from '@gatehouse/contract/policy'
import type { CallRequest, MountedCall } from '../context.ts'
import { limitedSession } from '../session/device-limits.ts'
import { maskerOf } from '../session/masking.ts'
import { bodyKeysOf, isSame, isSentBack, recordFieldsOf, recordIn, recordPassedOverOf, removeKey, type OddKey } from './request-keys.ts'
import { safeParse } from 'zod'

/** A request whose parts are not checked yet. */
export type UncheckedRequest = Omit<CallRequest, 'params' | 'query' | 'body'>

/** Returns the issues of a body's undefined fields, and removes those that were only sent back. */
export type SentBack = (body: unknown, request: UncheckedRequest) => Promise<FieldIssue[]>

const TOLERANT: SentBack = async () => []

const sameCall = (one: CallShape, other: CallShape): boolean =>
  one.method === other.method && one.service === other.service && one.path === other.path

function issueOf({ path, rule }: { path: OddKey['path']; rule: string }): FieldIssue {
  const dotted = path.join('.')
  return { path: dotted, rule, ...(rule === 'readOnly' ? {} : { params: { keys: String(path.at(-1)) } }) }
}

/**
 * Return the check of a call's bodies that runs before its schema.
 * @param calls all mounted calls, among them the one that reads the record
 * @throws Error where that call is not mounted
 */
export function createSentBack(call: Call, calls: readonly MountedCall[]): SentBack {
  if (!closesBody(call)) return TOLERANT
  const oddKeysOf = bodyKeysOf(call.body)
  const { record: readBy } = call
  const reading = readBy === undefined ? null : (calls.find((one) => sameCall(one.call, readBy)) ?? null)
  if (readBy !== undefined && reading === null) throw new Error(`${call.method} ${call.url}: the call that reads its record is not mounted`)
  const fields = recordFieldsOf(reading?.call.data)
  const passedOver = recordPassedOverOf(reading?.call.data)
  const mask = maskerOf(reading?.call.data)

  /** Return the record's name of a field of the body, which may have been sent by its former name. */
  const nameOf = ({ path }: OddKey): string | undefined => fields.get(String(path[0]))

  /** Return whether a field has the record's value. If it was sent by two names, the value that differs from the record's is used. */
  function cameBack(one: OddKey, body: unknown, record: Record<string, unknown>): boolean {
    const name = nameOf(one)!
    if (one.rule === 'unknownField') return isSentBack(body, record, one.path, name)
    if (isSame(one.sent, record[name])) return true
    const fieldsSent = body as Record<string, unknown>
    if (!isSame(fieldsSent[name], record[name])) return false
    fieldsSent[name] = one.sent
    return true
  }

  async function recordOf(id: unknown, request: UncheckedRequest): Promise<Record<string, unknown> | null> {
    // A reading call without parameters has only one record.
    const isOne = reading !== null && reading.call.query === undefined && reading.call.params === undefined && id === undefined
    if (reading === null || (typeof id !== 'string' && !isOne) || request.session === null || !mayCall(request.session, reading.call))
      return null
    const session = limitedSession(request.session, reading.call)
    // A list that cannot be filtered by id is read in its longest page.
    const [params, query, body] = [reading.call.params, reading.call.query, reading.call.body].map((schema) => {
      const result = schema === undefined ? undefined : safeParse(schema, { id, size: PAGE_SIZE_MAX })
      return result?.success === true ? result.data : undefined
    })
    const answer = await reading.handle({ ...request, params, query, body, session, scope: session.scope } as CallRequest)
    return recordIn(session.masking && mask !== null ? mask(answer) : answer, id)
  }

  return async (body, request) => {
    const odd = oddKeysOf(body)
    const ofRecord = odd.filter((one) => nameOf(one) !== undefined && (one.rule === 'unknownField' || one.path.length === 1))
    if (ofRecord.length === 0) return odd.map(issueOf)
    const sent = body as { id?: unknown; version?: unknown }
    const unknown = ofRecord.filter(({ rule }) => rule === 'unknownField')
    const compared = ofRecord.filter((one) => one.rule === 'twoNames' || !passedOver.has(nameOf(one)!))
    const record = compared.length === 0 ? null : await recordOf(sent.id, request)
    // A body of an older version is refused by the call itself.
    const isOlder = record !== null && sent.version !== undefined && sent.version !== record['version']
    const differing = record === null ? compared : compared.filter((one) => !isOlder && !cameBack(one, body, record))
    for (const { path } of unknown) removeKey(body, path)
    const issues = differing.map(({ path, rule }) => ({ path, rule: rule === 'unknownField' && record !== null ? 'readOnly' : rule }))
    return [...odd.filter((one) => !ofRecord.includes(one)), ...issues].map(issueOf)
  }
}
