/** Conversion of a failed schema into field issues, the same on the server (HTTP 400) and in a form. */
import type { z } from 'zod'
import type { FieldIssue } from './envelope.ts'
import type { BusinessCode } from './errors.ts'

type Issue = z.core.$ZodIssue

const scalar = (value: unknown): string | number => (typeof value === 'number' ? value : String(value))

function ruleOf(issue: Issue): Pick<FieldIssue, 'rule' | 'params'> {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input == null || Number.isNaN(issue.input)
        ? { rule: 'required' }
        : { rule: 'type', params: { expected: issue.expected } }
    case 'too_small':
      if (issue.origin === 'string' && Number(issue.minimum) === 1) return { rule: 'required' }
      return { rule: `min.${issue.origin}`, params: { limit: scalar(issue.minimum) } }
    case 'too_big':
      return { rule: `max.${issue.origin}`, params: { limit: scalar(issue.maximum) } }
    case 'invalid_value':
      // The input is present only if the parser was asked to report it: a missing value is not a wrong choice.
      if ('input' in issue && issue.input == null) return { rule: 'required' }
      return { rule: 'oneOf', params: { values: issue.values.map(String).join(', ') } }
    case 'invalid_format':
      return { rule: 'input' in issue && issue.input === '' ? 'required' : 'invalid' }
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

/** Return one issue per field, the first that failed; paths dotted, e.g. `contacts.0.phone`. */
export function fieldIssuesOf(error: { issues: readonly Issue[] }): FieldIssue[] {
  const seen = new Map<string, FieldIssue>()
  for (const issue of error.issues) {
    const path = issue.path.map(String).join('.')
    if (!seen.has(path)) seen.set(path, { path, ...ruleOf(issue) })
  }
  return [...seen.values()]
}

/** Return the error of a check whose failure is a business refusal for a caller; a form words it by its rule like any other. */
export const refusedAs = (code: BusinessCode) => ({ error: `code.${code}` })

/** Return the business codes by path of the fields whose first failure has one. */
export function codesOf(error: { issues: readonly Issue[] }): ReadonlyMap<string, BusinessCode> {
  const first = new Map<string, Issue>()
  for (const issue of error.issues) {
    const path = issue.path.map(String).join('.')
    if (!first.has(path)) first.set(path, issue)
  }
  return new Map(
    [...first].flatMap(([path, { message }]) =>
      message.startsWith('code.') ? [[path, Number(message.slice('code.'.length)) as BusinessCode] as const] : [],
    ),
  )
}

/** Return the parameters of a `.refine` whose failure is worded by `validation.<rule>`. */
export const rule = (name: string, params: Record<string, string | number> = {}) => ({ params: { rule: name, ...params } })
