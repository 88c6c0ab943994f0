/** Forms: typed text is kept until it is saved, and a refusal is shown at its field. */
import { createContext, type VNode } from 'preact'
import { useContext, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Refused } from '../api.ts'
import { say } from '../words.ts'
import { Button } from './button.ts'
import { html, type Children } from './html.ts'
import { Trouble, useTask } from './task.ts'

/** A text, or the values ticked in a list. */
export type FieldValue = string | readonly string[]
type Values = Readonly<Record<string, FieldValue>>

export interface FormState<Of extends Values = Values> {
  /** Values of the fields: the typed ones, otherwise the initial ones. */
  values: Of
  /** What is wrong with each field, in words. */
  issues: Readonly<Record<string, string>>
  /** How many submissions were refused. */
  refusals: number
  edit(name: keyof Of & string, value: FieldValue): void
  refuse(issues: Readonly<Record<string, string>>): void
  /** Forget typed values that equal the saved ones. */
  settle(saved: Partial<Of>): void
}

/** Return the state of a form. @param initial values of the fields in which nothing was typed; they may change meanwhile */
export function useForm<Of extends Values>(initial: Of): FormState<Of> {
  const [edited, setEdited] = useState<Partial<Of>>({})
  const [issues, setIssues] = useState<Readonly<Record<string, string>>>({})
  const [refusals, setRefusals] = useState(0)
  return {
    values: { ...initial, ...edited },
    issues,
    refusals,
    edit(name, value) {
      setEdited((before) => ({ ...before, [name]: value }))
      setIssues((before) => without(before, ([field]) => field === name))
    },
    refuse(next) {
      setIssues(next)
      setRefusals((before) => before + 1)
    },
    settle(saved) {
      setEdited((before) => without(before, ([name, value]) => name in saved && saved[name] === value))
    },
  }
}

const without = <Fields extends object>(fields: Fields, isLeftOut: (field: [name: string, value: unknown]) => boolean): Fields =>
  Object.fromEntries(Object.entries(fields).filter((field) => !isLeftOut(field))) as Fields

const FormContext = createContext<FormState | null>(null)

/** Return the form that contains the field. */
export function useFormOfField(): FormState {
  const form = useContext(FormContext)
  if (form === null) throw new Error('A field stands in a form')
  return form
}

interface FormProps {
  form: FormState
  submitWords: string
  submitLook?: string
  /** Submit the form; its refusals are shown. @throws Refused */
  onSubmit: () => Promise<void>
  /** With it, the form has a button that leaves it. */
  onCancel?: () => void
  /** Whether nothing in the form can be changed. */
  isLocked?: boolean
  children: Children
}

export function Form({ form, submitWords, submitLook = 'primary', onSubmit, onCancel, isLocked = false, children }: FormProps): VNode {
  const element = useRef<HTMLFormElement>(null)
  const { isBusy, trouble, run } = useTask()
  useLayoutEffect(() => {
    if (form.refusals > 0) element.current!.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [form.refusals])
  const submit = (event: Event) => {
    event.preventDefault()
    void run(async () => {
      form.refuse({})
      await onSubmit().catch((error: unknown) => {
        if (error instanceof Refused) form.refuse(error.fields)
        throw error
      })
    })
  }
  return html`
    <form ref=${element} novalidate onSubmit=${submit}>
      <${FormContext.Provider} value=${form}>${children}<//>
      <${Trouble} words=${trouble} />
      ${
        !isLocked &&
        html`<div class="actions">
          ${onCancel && html`<${Button} onPress=${onCancel}>${say('cancel')}<//>`}
          <${Button} look=${submitLook} inactive=${isBusy}>${submitWords}<//>
        </div>`
      }
    </form>
  `
}
