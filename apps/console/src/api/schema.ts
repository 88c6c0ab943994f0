/** Checks a value against a schema of the contract, with the issues the server would answer. */
import type { FieldIssue, OutputOf, Schema } from '@gatehouse/contract'
import { fieldIssuesOf } from '@gatehouse/contract'

/** What every schema of the contract can do: all are made by zod. The contract's own type names only their input and output. */
interface Checking {
  safeParse(value: unknown): { success: true; data: unknown } | { success: false; error: Parameters<typeof fieldIssuesOf>[0] }
}

export function check<S extends Schema>(schema: S, value: unknown): { data: OutputOf<S> } | { issues: FieldIssue[] } {
  const result = (schema as S & Checking).safeParse(value)
  if (result.success) return { data: result.data as OutputOf<S> }
  // Nothing chosen yet is no wrong choice.
  return {
    issues: fieldIssuesOf(result.error).map((issue) =>
      issue.rule === 'oneOf' && at(value, issue.path) == null ? { path: issue.path, rule: 'required' } : issue,
    ),
  }
}

/** What a dotted path leads to. */
const at = (value: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((inner, part) => (inner as Record<string, unknown> | null | undefined)?.[part], value)
