/** Marks fields of a form by the issues of its values. */
import type { FormInstance } from 'antd'
import { flushSync } from 'react-dom'
import type { FieldIssue } from '@gatehouse/contract'
import { sentenceOfIssue } from '../../api/refusal.ts'

type NamePath = (string | number)[]
const namePathOf = (path: string): NamePath => path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
const keyOf = (name: NamePath): string => name.join('.')

/**
 * Mark the fields that the issues name, and scroll to the first of them.
 * @param words shown instead of the rule's own sentence
 * @returns what cannot be shown beside a field
 */
export function markIssues(form: FormInstance, issues: FieldIssue[], words?: string): string[] {
  const fields = new Map((form.getFieldsError() as { name: NamePath }[]).map(({ name }) => [keyOf(name), name]))
  const fieldOf = ({ path }: FieldIssue) => fields.get(path) ?? fields.get(path.split('.')[0] ?? '')
  const marked = issues.flatMap((issue) => {
    const name = fieldOf(issue)
    return name ? [{ name: name as never, errors: [words ?? sentenceOfIssue(issue)] }] : []
  })
  // At once, so that a field in a closed part of the form is visible before the form scrolls to it.
  flushSync(() => form.setFields(marked))
  if (marked[0]) form.scrollToField(marked[0].name, { block: 'center', focus: true })
  return issues
    .filter((issue) => !fieldOf(issue))
    .map((issue) => words ?? (issue.path === '' ? sentenceOfIssue(issue) : `${issue.path}: ${sentenceOfIssue(issue)}`))
}

/** Mark those of the fields that the user has touched; remove the marks of the other touched ones. */
export function markTouched(form: FormInstance, issues: FieldIssue[]): void {
  const touched = (form.getFieldsError() as { name: NamePath }[]).filter(({ name }) => form.isFieldTouched(name as never))
  form.setFields(
    touched.map(({ name }) => {
      const issue = issues.find(({ path }) => keyOf(namePathOf(path)).startsWith(keyOf(name)))
      return { name: name as never, errors: issue ? [sentenceOfIssue(issue)] : [] }
    }),
  )
}
