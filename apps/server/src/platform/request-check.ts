/** Checks a request against the schemas of its call. Nothing else stands between what was sent and what a handler is given. */
import { safeParse } from 'zod'
import { codesOf, fieldIssuesOf, type BusinessCode, type Call, type FieldIssue, type Schema } from '@gatehouse/contract'
import { nulPath } from './nul.ts'
import { InvalidRequest, Refusal } from './refusal.ts'

/** A failed field, and the business code its failure has where it has one. */
type CheckedIssue = FieldIssue & { code?: BusinessCode | undefined }

export interface RequestParts {
  params: unknown
  query: unknown
  body: unknown
}

/**
 * The parts of a request as its handler is given them.
 * @param sent as they came in: texts of path and query, the decoded body
 * @throws Refusal where each failed field is a business refusal; InvalidRequest where one fails its schema
 */
export function checkRequest(call: Pick<Call, 'params' | 'query' | 'body'>, sent: RequestParts): RequestParts {
  const issues: CheckedIssue[] = []
  const parts = {
    params: checked(call.params, sent.params, issues),
    query: checked(call.query, sent.query, issues),
    body: checked(call.body, sent.body, issues),
  }
  if (issues.length > 0) throw failureOf(issues)
  return parts
}

function checked(schema: Schema | undefined, value: unknown, issues: CheckedIssue[]): unknown {
  if (schema === undefined) return undefined
  const result = safeParse(schema, value ?? {}, { reportInput: true })
  if (!result.success) {
    const codes = codesOf(result.error)
    issues.push(...fieldIssuesOf(result.error).map((issue) => ({ ...issue, code: codes.get(issue.path) })))
  } else {
    const path = nulPath(result.data)
    if (path === null) return result.data
    issues.push({ path, rule: 'invalid' })
  }
  return undefined
}

function failureOf(issues: readonly CheckedIssue[]): Refusal | InvalidRequest {
  const coded = issues.flatMap(({ path, code }) => (code === undefined ? [] : [{ path, code }]))
  if (coded.length < issues.length) return new InvalidRequest(issues.map(({ code: _, ...issue }) => issue))
  return new Refusal(coded[0]!.code, { fields: coded.map(({ path, code }) => ({ path, rule: `code.${code}` })) })
}
