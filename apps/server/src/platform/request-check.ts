/** Checks a request against the schemas of its call. Nothing else stands between what was sent and what a handler is given. */
import { safeParse } from 'zod'
import { codesOf, fieldIssuesOf, type BusinessCode, type Call, type FieldIssue, type Schema } from '@gatehouse/contract'
import { nulPath } from './nul.ts'
import { InvalidRequest, NotFound, Refusal } from './refusal.ts'

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
 * @param odd keys of the body that were found wrong before
 * @throws NotFound where the path names nothing that could be; Refusal where a failed field is a business refusal; else InvalidRequest
 */
export function checkRequest(
  call: Pick<Call, 'params' | 'query' | 'body'>,
  sent: RequestParts,
  odd: readonly FieldIssue[] = [],
): RequestParts {
  const inPath: CheckedIssue[] = []
  const params = checked(call.params, sent.params, inPath)
  if (inPath.length > 0) throw new NotFound()
  const issues: CheckedIssue[] = [...odd]
  const parts = { params, query: checked(call.query, sent.query, issues), body: checked(call.body, sent.body, issues) }
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

/** A code says more than that a field is wrong: where faults meet it is the answer's, and all fields stand beside it. */
function failureOf(issues: readonly CheckedIssue[]): Refusal | InvalidRequest {
  const fields = issues.map(({ code, ...issue }) => (code === undefined ? issue : { path: issue.path, rule: `code.${code}` }))
  const code = issues.find((issue) => issue.code !== undefined)?.code
  return code === undefined ? new InvalidRequest(fields) : new Refusal(code, { fields })
}
