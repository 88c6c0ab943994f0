/** From what the rules find wrong to what the caller is answered. */
import type { AccessIssue } from '@gatehouse/access-rules'
import { InvalidRequest, Refusal } from '../../platform/http/refusal.ts'

/**
 * Refuses where there are issues: HTTP 400 with all fields whose content is wrong, else the first business code with
 * the fields it belongs to.
 * @throws InvalidRequest, Refusal
 */
export function refuseIssues(issues: readonly AccessIssue[]): void {
  const invalid = issues.filter((issue) => issue.code === 400)
  if (invalid.length > 0) throw new InvalidRequest(invalid.map(fieldOf))
  const [first] = issues
  if (first === undefined || first.code === 400) return
  throw new Refusal(first.code, { fields: issues.filter((issue) => issue.code === first.code).map(fieldOf) })
}

const fieldOf = ({ path, rule, params }: AccessIssue) => ({ path, rule, ...(params !== undefined && { params }) })

/** @param areOfPark by the field, whether all it names is of this park @throws InvalidRequest */
export function refuseUnknown(areOfPark: Readonly<Record<string, boolean>>): void {
  const unknown = Object.keys(areOfPark).filter((field) => !areOfPark[field])
  if (unknown.length > 0) throw new InvalidRequest(unknown.map((path) => ({ path, rule: 'unknown' })))
}
