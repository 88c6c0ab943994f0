/** Checks a request against the schemas of its call. A handler receives only what passes. */
import { safeParse } from 'zod'
import { codesOf, fieldIssuesOf, type Call, type FieldIssue, type Schema } from '@gatehouse/contract'
import { unstorablePath } from './nul.ts'
import { NotFound, refusalOf, type Fault } from './refusal.ts'

export interface RequestParts {
  params: unknown
  query: unknown
  body: unknown
}

/**
 * Return the parts of a request as its handler receives them.
 * @param sent as received: texts of path and query, the decoded body
 * @param odd keys of the body that were found wrong before
 * @throws NotFound where a path parameter is invalid; Refusal where a failed field has a business code; else InvalidRequest
 */
export function checkRequest(
  call: Pick<Call, 'params' | 'query' | 'body'>,
  sent: RequestParts,
  odd: readonly FieldIssue[] = [],
): RequestParts {
  const inPath: Fault[] = []
  const params = checked(call.params, sent.params, inPath)
  if (inPath.length > 0) throw new NotFound()
  const issues: Fault[] = [...odd]
  const parts = { params, query: checked(call.query, sent.query, issues), body: checked(call.body, sent.body, issues) }
  if (issues.length > 0) throw refusalOf(issues)
  return parts
}

function checked(schema: Schema | undefined, value: unknown, issues: Fault[]): unknown {
  if (schema === undefined) return undefined
  const result = safeParse(schema, value ?? {}, { reportInput: true })
  if (!result.success) {
    const codes = codesOf(result.error)
    issues.push(...fieldIssuesOf(result.error).map((issue) => ({ ...issue, code: codes.get(issue.path) })))
  } else {
    const path = unstorablePath(result.data)
    if (path === null) return result.data
    issues.push({ path, rule: 'invalid' })
  }
  return undefined
}
