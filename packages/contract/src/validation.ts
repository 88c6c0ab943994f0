/** Turns a failed schema into field issues, the same on the server (HTTP 400) and in a form. */
import type { z } from 'zod'
import type { FieldIssue } from './envelope.ts'

type Issue = z.core.$ZodIssue

const scalar = (value: unknown): string | number => (typeof value === 'number' ? value : String(value))

function ruleOf(issue: Issue): Pick<FieldIssue, 'rule' | 'params'> {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined || issue.message.includes('received undefined')
        ? { rule: 'required' }
        : { rule: 'type', params: { expected: issue.expected } }
    case 'too_small':
      if (issue.origin === 'string' && Number(issue.minimum) === 1) return { rule: 'required' }
      return { rule: `min.${issue.origin}`, params: { limit: scalar(issue.minimum) } }
    case 'too_big':
      return { rule: `max.${issue.origin}`, params: { limit: scalar(issue.maximum) } }
    case 'invalid_value':
      return { rule: 'oneOf', params: { values: issue.values.map(String).join(', ') } }
    case 'unrecognized_keys':
      return { rule: 'unknownField', params: { keys: issue.keys.join(', ') } }
    case 'custom': {
      const { rule, ...params } = (issue.params ?? {}) as { rule?: string; [key: string]: string | number | undefined }
      return { rule: rule ?? 'invalid', ...(Object.keys(params).length > 0 && { params: params as Record<string, string | number> }) }
    }
    default:
      return { rule: 'invalid' }
  }
}

/** One issue per field, the first that failed; paths dotted, e.g. `contacts.0.phone`. */
export function fieldIssuesOf(error: { issues: readonly Issue[] }): FieldIssue[] {
  const seen = new Map<string, FieldIssue>()
  for (const issue of error.issues) {
    const path = issue.path.map(String).join('.')
    if (!seen.has(path)) seen.set(path, { path, ...ruleOf(issue) })
  }
  return [...seen.values()]
}

/** Parameters of a `.refine` whose failure is worded by `validation.<rule>`. */
export const rule = (name: string, params: Record<string, string | number> = {}) => ({ params: { rule: name, ...params } })
