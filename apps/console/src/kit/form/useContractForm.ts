/** A form for a write call: checked by the call's own schema, with refused fields marked wherever the refusal came from. */
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
  /** The call, whose `body` schema checks the form; fields are named as in the body. */
  call: C
  /** Values the user does not see, such as the record's id and version. */
  hidden?: Partial<InputOf<C['body']>>
  /** Rules of this form that the call itself does not have. */
  also?: (values: Partial<InputOf<C['body']>>) => FieldIssue[]
  /** Message shown once it is saved. */
  done: string
  onDone: (answer: AnswerOf<C>) => void
  /** Name under which unsaved input is stored. */
  draft: string
  /** Fields whose input is never stored, besides those that the call marks as secret. */
  unkept?: readonly string[]
  /** Converts what was typed to what is sent, such as an encrypted password. */
  prepare?: (body: Record<string, unknown>) => Promise<Record<string, unknown>>
  /** Whether the form closes once it is saved. */
  once?: boolean
  /** Returns where in the form a refused field is, from the server's path, where the two differ. */
  placed?: (path: string, values: Partial<InputOf<C['body']>>) => string
  /** Returns what is shown above the buttons for a refusal that is about more than fields; undefined for any other. */
  hindered?: (refusal: Refusal, body: object) => ReactNode
}

export interface ContractForm<Values extends object> {
  form: FormInstance<Values>
  /** Messages that cannot be shown beside a field. */
  failures: string[]
  /** What prevents the form as a whole from being saved. */
  hindrance: ReactNode
  pending: boolean
  /** Whether closing would discard input. */
  dirty: boolean
  restored: boolean
  submit: () => Promise<void>
  /** Notes a file chosen in this form that is being uploaded: saving waits for it, and is abandoned when it is refused. */
  uploading: NoteUpload
  changed: () => void
  /** Call on leaving a field: only fields that the user has touched are checked. */
  left: () => void
  /** Discards what was typed, now or earlier, and shows the stored values. */
  discard: () => void
  start: (values: Values) => Values
}

/**
 * Return what a form sends. In a change, null stands for a field that had a value when the form opened and is shown without one now:
 * what a change leaves out keeps its value, which a cleared field must not, but a field that is no longer shown must.
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
  /** `over`: it is saved, and a second click on the closing form must not save it again. */
  const sending = useRef<'no' | 'yes' | 'over'>('no')

  function issuesNow(): FieldIssue[] {
    const values = { ...sentOf(call, started.current, form as FormInstance), ...hidden }
    const result = call.body ? check(call.body, values) : { issues: [] }
    return [...('issues' in result ? result.issues : []), ...(also?.(values) ?? [])]
  }

  /** Mark the fields that the issues name; show the other issues above the form. `words` replaces the rule's own sentence. */
  const show = (issues: FieldIssue[], words?: string): void => setFailures(markIssues(form as FormInstance, issues, words))

  /** Return whether every pending upload has arrived, and the form is still open. */
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
      // What was typed is sent, not its parsed form: the server parses it itself.
      const parts: LooseParts = { body: prepare ? await prepare(body) : body }
      await write.send(parts as PartsOf<C>)
      drafts.drop(draft)
      setDirty(false)
      setRestored(false)
      sending.current = once ? 'over' : 'no'
    } catch (error) {
      sending.current = 'no'
      if (!(error instanceof Refusal)) throw error
      // The user cancelled the password that the call asks for: the form stays as it is.
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
      // Rendered first: fields are reset to the values of the last rendering, which were those of the draft.
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
