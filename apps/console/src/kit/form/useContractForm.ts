/** A form for a write call: checked by the call's own schema, refused fields marked wherever the refusal came from. */
import { Form, type FormInstance } from 'antd'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import type { FieldIssue, InputOf } from '@gatehouse/contract'
import { drafts } from './drafts.ts'
import { markIssues, markTouched } from './fieldIssues.ts'
import type { AnswerOf, AnyCall, LooseParts, PartsOf } from '../../api/http.ts'
import { Refusal, sentenceOf } from '../../api/refusal.ts'
import { check } from '../../api/schema.ts'
import { pendingUploads, type NoteUpload } from '../../api/uploads.ts'
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
  /** Fields whose input is never kept, besides those that the call marks as secret. */
  unkept?: readonly string[]
  /** What is sent instead of what was typed, such as an encrypted password. */
  prepare?: (body: Record<string, unknown>) => Promise<Record<string, unknown>>
  /** The form goes away once it is saved. */
  once?: boolean
  /** Where in the form the server's path of a refused field stands, where it is named otherwise here. */
  placed?: (path: string, values: Partial<InputOf<C['body']>>) => string
  /** What is shown above the buttons where a refusal is about more than fields; undefined for any other. */
  hindered?: (refusal: Refusal, body: object) => ReactNode
}

export interface ContractForm<Values extends object> {
  form: FormInstance<Values>
  /** What cannot be shown beside a field. */
  failures: string[]
  /** What stands in the way of the form as a whole. */
  hindrance: ReactNode
  pending: boolean
  /** Whether closing would lose something. */
  dirty: boolean
  restored: boolean
  submit: () => Promise<void>
  /** A file chosen in this form is on its way: saving waits for it, and is left when it is refused. */
  uploading: NoteUpload
  changed: () => void
  /** On leaving a field: only what the person has been to is judged. */
  left: () => void
  /** Forgets what was typed, now or before, and shows what is stored. */
  discard: () => void
  start: (values: Values) => Values
}

/**
 * What is sent of a form: of a change, null for what was there when it opened and is shown without a value now. What a change leaves out
 * stays as it was, and a field somebody has cleared is not to stay; one that is not shown any more is.
 */
function sentOf({ method, record }: AnyCall, started: object, form: FormInstance): Record<string, unknown> {
  const now = form.getFieldsValue(true) as Record<string, unknown>
  if (method !== 'PUT' && record === undefined) return { ...now }
  const shown = form.getFieldsValue() as object
  const cleared = Object.entries(started).flatMap(([name, value]) =>
    value != null && name in shown && now[name] === undefined ? [[name, null] as const] : [],
  )
  return { ...now, ...Object.fromEntries(cleared) }
}

export function useContractForm<C extends AnyCall, Values extends object>(options: ContractFormOptions<C>): ContractForm<Values> {
  const { call, hidden, also, done, onDone, draft, unkept = [], prepare, once = false, placed, hindered } = options
  const [form] = Form.useForm<Values>()
  const [failures, setFailures] = useState<string[]>([])
  const [hindrance, setHindrance] = useState<ReactNode>()
  const [dirty, setDirty] = useState(false)
  const [kept] = useState(() => drafts.read(draft) as Partial<Values> | undefined)
  const [restored, setRestored] = useState(kept !== undefined)
  const [uploads] = useState(pendingUploads)
  const [waiting, setWaiting] = useState(false)
  const started = useRef<object>({})
  const open = useRef(true)
  useEffect(() => {
    open.current = true
    return () => {
      open.current = false
    }
  }, [])
  const write = useWrite(call, { done, errors: 'inline', onDone })
  /** `over`: it is saved, and what a second click does to a form on its way out must not save it again. */
  const sending = useRef<'no' | 'yes' | 'over'>('no')

  function issuesNow(): FieldIssue[] {
    const values = { ...sentOf(call, started.current, form as FormInstance), ...hidden }
    const result = call.body ? check(call.body, values) : { issues: [] }
    return [...('issues' in result ? result.issues : []), ...(also?.(values) ?? [])]
  }

  /** Marks the fields the issues name; the rest goes above the form. `words` overrides the rule's own sentence. */
  const show = (issues: FieldIssue[], words?: string): void => setFailures(markIssues(form as FormInstance, issues, words))

  /** Whether every file that was on its way has come, and the form is still open. */
  async function uploaded(): Promise<boolean> {
    if (!uploads.any()) return true
    sending.current = 'yes'
    setWaiting(true)
    const taken = await uploads.settled()
    setWaiting(false)
    sending.current = 'no'
    return taken && open.current
  }

  async function submit(): Promise<void> {
    if (sending.current !== 'no') return
    setFailures([])
    setHindrance(undefined)
    if (!(await uploaded())) return
    const issues = issuesNow()
    if (issues.length > 0) return show(issues)
    sending.current = 'yes'
    const body = { ...sentOf(call, started.current, form as FormInstance), ...hidden }
    try {
      // What is sent is what was typed, not the parsed form of it: the server parses for itself.
      const parts: LooseParts = { body: prepare ? await prepare(body) : body }
      await write.send(parts as PartsOf<C>)
      drafts.drop(draft)
      setDirty(false)
      setRestored(false)
      sending.current = once ? 'over' : 'no'
    } catch (error) {
      sending.current = 'no'
      if (!(error instanceof Refusal)) throw error
      // The password that the call asks for was not typed: the form is as it was.
      if (error.cancelled) return
      const standing = hindered?.(error, body)
      if (standing !== undefined) return setHindrance(standing)
      const { fields } = error
      const here = placed
        ? fields.map((issue) => ({ ...issue, path: placed(issue.path, form.getFieldsValue(true) as Partial<InputOf<C['body']>>) }))
        : fields
      if (here.length > 0) show(here, error.family === 'business' ? sentenceOf(error) : undefined)
      else setFailures([sentenceOf(error)])
    }
  }

  return {
    form,
    failures,
    hindrance,
    pending: waiting || write.pending,
    dirty,
    restored,
    submit,
    uploading: uploads.note,
    changed: () => {
      if (sending.current === 'over') sending.current = 'no'
      setDirty(true)
      setHindrance(undefined)
      drafts.write(draft, form.getFieldsValue(true) as object, { call, unkept })
    },
    left: () => markTouched(form as FormInstance, issuesNow()),
    discard: () => {
      drafts.drop(draft)
      // Rendered before: fields go back to the values that the form was rendered with last, and those were the draft's.
      flushSync(() => {
        setDirty(false)
        setRestored(false)
      })
      form.resetFields()
    },
    start: (values) => {
      started.current = values
      return restored ? { ...values, ...kept } : values
    },
  }
}
