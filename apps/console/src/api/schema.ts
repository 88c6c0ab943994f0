/** The check of a value against a schema of the contract, with the issues that the server would return. */
import type { FieldIssue, OutputOf, Schema } from '@gatehouse/contract'
import { fieldIssuesOf } from '@gatehouse/contract'

/** A method of every schema of the contract, since all are made by zod. The contract's own type has only their input and output. */
interface Checking {
  safeParse(value: unknown): { success: true; data: unknown } | { success: false; error: Parameters<typeof fieldIssuesOf>[0] }
}

export function check<S extends Schema>(schema: S, value: unknown): { data: OutputOf<S> } | { issues: FieldIssue[] } {
  const result = (schema as S & Checking).safeParse(value)
  if (result.success) return { data: result.data as OutputOf<S> }
  // A missing choice is reported as required, not as a wrong choice.
  return {
    issues: fieldIssuesOf(result.error).map((issue) =>
      issue.rule === 'oneOf' && at(value, issue.path) == null ? { path: issue.path, rule: 'required' } : issue,
    ),
  }
}

/** Return the value at a dotted path. */
const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, part) => (inner as Record<string, unknown> | null | undefined)?.[part], value)
