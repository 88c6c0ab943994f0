/** A form for a write call: checked by the call's own schema, refused fields marked wherever the refusal came from. */
import { Form, type FormInstance } from 'antd'
import { useState } from 'react'
import type { FieldIssue, InputOf } from '@gatehouse/contract'
import { drafts } from './drafts.ts'
import type { AnswerOf, AnyCall, PartsOf } from './http.ts'
import { Refusal, sentenceOf, sentenceOfIssue } from './refusal.ts'
import { check } from './schema.ts'
import { useWrite } from './useWrite.ts'

export interface ContractFormOptions<C extends AnyCall> {
  /** Its `body` schema checks the form; fields are named as in the body. */
  call: C
  /** Values the person does not see, such as the record's id and version. */
  hidden?: Partial<InputOf<C['body']>>
  /** Rules of this form that the call itself does not have. */
  also?: (values: Partial<InputOf<C['body']>>) => FieldIssue[]
  /** Said once it is saved. */
  done: string
  onDone: (answer: AnswerOf<C>) => void
  /** Under which unsaved input is kept. */
  draft: string
}

export interface ContractForm<Values extends object> {
  form: FormInstance<Values>
  /** What cannot be shown beside a field. */
  failures: string[]
  pending: boolean
  /** Whether closing would lose something. */
  dirty: boolean
  restored: boolean
  submit: () => Promise<void>
  changed: () => void
  left: () => void
  /** Forgets what was typed. */
  discard: () => void
  start: (values: Values) => Values
}

type NamePath = (string | number)[]
const namePathOf = (path: string): NamePath => path.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
const keyOf = (name: NamePath): string => name.join('.')

export function useContractForm<C extends AnyCall, Values extends object>(options: ContractFormOptions<C>): ContractForm<Values> {
  const { call, hidden, also, done, onDone, draft } = options
  const [form] = Form.useForm<Values>()
  const [failures, setFailures] = useState<string[]>([])
  const [dirty, setDirty] = useState(false)
  const [kept] = useState(() => drafts.read(draft) as Partial<Values> | undefined)
  const [restored, setRestored] = useState(kept !== undefined)
  const write = useWrite(call, { done, errors: 'inline', onDone })

  function issuesNow(): FieldIssue[] {
    const values = { ...form.getFieldsValue(true), ...hidden }
    const result = call.body ? check(call.body, values) : { issues: [] }
    return [...('issues' in result ? result.issues : []), ...(also?.(values) ?? [])]
  }

  /** Marks the fields the issues name; the rest goes above the form. `words` overrides the rule's own sentence. */
  function show(issues: FieldIssue[], words?: string): void {
    const known = new Map((form.getFieldsError() as { name: NamePath }[]).map(({ name }) => [keyOf(name), name]))
    const fieldOf = ({ path }: FieldIssue) => known.get(path) ?? known.get(path.split('.')[0] ?? '')
    const marked = issues.flatMap((issue) => {
      const name = fieldOf(issue)
      return name ? [{ name: name as never, errors: [words ?? sentenceOfIssue(issue)] }] : []
    })
    form.setFields(marked)
    setFailures(issues.filter((issue) => !fieldOf(issue)).map((issue) => words ?? `${issue.path}: ${sentenceOfIssue(issue)}`))
    if (marked[0]) form.scrollToField(marked[0].name, { block: 'center', focus: true })
  }

  async function submit(): Promise<void> {
    setFailures([])
    const issues = issuesNow()
    if (issues.length > 0) return show(issues)
    try {
      // What is sent is what was typed, not the parsed form of it: the server parses for itself.
      await write.send({ body: { ...form.getFieldsValue(true), ...hidden } } as unknown as PartsOf<C>)
      drafts.drop(draft)
      setDirty(false)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const { fields } = error
      if (fields.length > 0) show(fields, error.family === 'business' ? sentenceOf(error) : undefined)
      else setFailures([sentenceOf(error)])
    }
  }

  return {
    form,
    failures,
    pending: write.pending,
    dirty,
    restored,
    submit,
    changed: () => {
      setDirty(true)
      drafts.write(draft, form.getFieldsValue(true) as object)
    },
    // On leaving a field: only what the person has been to is judged.
    left: () => {
      const issues = issuesNow()
      const touched = (form.getFieldsError() as { name: NamePath }[]).filter(({ name }) => form.isFieldTouched(name as never))
      form.setFields(
        touched.map(({ name }) => {
          const issue = issues.find(({ path }) => keyOf(namePathOf(path)).startsWith(keyOf(name)))
          return { name: name as never, errors: issue ? [sentenceOfIssue(issue)] : [] }
        }),
      )
    },
    discard: () => {
      drafts.drop(draft)
      setDirty(false)
      setRestored(false)
      form.resetFields()
    },
    start: (values) => (restored ? { ...values, ...kept } : values),
  }
}
