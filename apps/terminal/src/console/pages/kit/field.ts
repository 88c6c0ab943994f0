/** Fields of a form, with their labels, hints and issues. */
import type { VNode } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { FileChoice } from './file-button.ts'
import { useFormOfField } from './form.ts'
import { html, type Children } from './html.ts'
import { Icon } from './icon.ts'

export type Choice = readonly [value: string, words: string]

export interface FieldProps {
  name: string
  label: string
  hint?: string
  /** Why the field cannot be changed; null if it can. */
  locked?: string | null
  /** The field is not shown; typed text is kept. */
  hidden?: boolean
}

interface FieldRowProps extends Omit<FieldProps, 'name'> {
  /** Id of the control, or of the label of a group. */
  id: string
  /** The field consists of several controls. */
  isGroup?: boolean
  hintIcon?: string
  issue: string | undefined
  /** The issue is read out when it appears, because the focus does not move there. */
  isAlert?: boolean
  children: Children
}

/** A label beside its control, with its hint and issue; `ID-hint` and `ID-issue` describe the control. */
export function FieldRow({
  id,
  label,
  hint = '',
  hintIcon,
  locked = null,
  hidden,
  isGroup,
  issue,
  isAlert,
  children,
}: FieldRowProps): VNode {
  const drawing = locked === null ? hintIcon : 'lock'
  return html`
    <div class="field" hidden=${hidden} role=${isGroup ? 'group' : undefined} aria-labelledby=${isGroup ? id : undefined}>
      ${isGroup ? html`<span class="label" id=${id}>${label}</span>` : html`<label for=${id}>${label}</label>`}
      <div class="control">
        ${children}
        <p class="hint" id="${id}-hint">${drawing && html`<${Icon} name=${drawing} />`}${locked ?? hint}</p>
        <p class="issue" id="${id}-issue" role=${isAlert ? 'alert' : undefined}>${issue}</p>
      </div>
    </div>
  `
}

export interface TextFieldProps extends FieldProps {
  /** With choices, the field is a list. */
  choices?: readonly Choice[]
  type?: string
  autocomplete?: string
  required?: boolean
  min?: number
  max?: number
  step?: number
  maxlength?: number
  /** The field has the focus when the form appears. */
  autofocus?: boolean
}

/** A field for a text, a number, a moment, or one of several choices. */
export function Field({
  name,
  label,
  hint,
  locked = null,
  hidden,
  choices,
  type = 'text',
  autocomplete = 'off',
  ...limits
}: TextFieldProps): VNode {
  const { values, issues, edit } = useFormOfField()
  const id = useId()
  const element = useRef<HTMLElement>(null)
  // A dialog reads the attribute when it opens; a page that is already shown does not.
  useLayoutEffect(() => {
    if (limits.autofocus) element.current!.focus()
  }, [limits.autofocus])
  const control = {
    ...limits,
    ref: element,
    id,
    name,
    value: values[name],
    disabled: locked !== null,
    'aria-describedby': `${id}-hint ${id}-issue`,
    'aria-invalid': issues[name] ? true : undefined,
  }
  const take = ({ currentTarget }: Event) => edit(name, (currentTarget as HTMLInputElement | HTMLSelectElement).value)
  return html`
    <${FieldRow} id=${id} label=${label} hint=${hint} locked=${locked} hidden=${hidden} issue=${issues[name]}>
      ${
        choices
          ? html`<select ...${control} onChange=${take}>
              ${choices.map(([value, words]) => html`<option key=${value} value=${value}>${words}</option>`)}
            </select>`
          : html`<input type=${type} autocomplete=${autocomplete} ...${control} onInput=${take} />`
      }
    <//>
  `
}

/** A field for several choices of a list. */
export function ChoicesField({ name, label, hint, locked = null, hidden, choices }: FieldProps & { choices: readonly Choice[] }): VNode {
  const { values, issues, edit } = useFormOfField()
  const id = useId()
  const ticked = [values[name] ?? []].flat()
  const toggle = (toggled: string) =>
    edit(
      name,
      choices.map(([value]) => value).filter((value) => ticked.includes(value) !== (value === toggled)),
    )
  return html`
    <${FieldRow} isGroup id=${id} label=${label} hint=${hint} locked=${locked} hidden=${hidden} issue=${issues[name]}>
      <div class="choices">
        ${choices.map(
          ([value, words]) =>
            html`<label key=${value}>
              <input
                type="checkbox"
                checked=${ticked.includes(value)}
                disabled=${locked !== null}
                aria-invalid=${issues[name] ? true : undefined}
                onChange=${() => toggle(value)}
              />
              ${words}
            </label>`,
        )}
      </div>
    <//>
  `
}

interface FileFieldProps extends FieldProps {
  accept: string
  files: readonly File[]
  onFiles: (files: File[]) => void
}

/** A field for a file that is sent with its form. */
export function FileField({ name, label, hint, accept, files, onFiles }: FileFieldProps): VNode {
  const { issues } = useFormOfField()
  const id = useId()
  return html`
    <${FieldRow} id=${id} label=${label} hint=${hint} issue=${issues[name]}>
      <${FileChoice} id=${id} accept=${accept} files=${files} onFiles=${onFiles} isInvalid=${issues[name] !== undefined} />
    <//>
  `
}
