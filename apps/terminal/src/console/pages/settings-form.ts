/** Forms of settings, for the pages that show some of them. */
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call } from './api.ts'
import { ChoicesField, Field, type TextFieldProps } from './kit/field.ts'
import { Form, useForm, type FieldValue } from './kit/form.ts'
import { html } from './kit/html.ts'
import { announce } from './kit/notice.ts'
import { say } from './words.ts'

/** Settings as the terminal returns them. */
export interface Settings {
  values: Readonly<Record<string, unknown>>
  sources: Readonly<Record<string, 'builtIn' | 'local' | 'server'>>
}

/** How a setting is shown and typed. */
export interface Setting extends Omit<TextFieldProps, 'label' | 'locked'> {
  /**
   * `number` and `numberChoice`: empty for null. `flag`: 0 or 1. `address`: a text, empty for null. `words` and
   * `numbers`: several of the choices.
   */
  kind?: 'number' | 'flag' | 'text' | 'address' | 'choice' | 'numberChoice' | 'words' | 'numbers'
}

interface SettingsFormProps {
  /** Settings of the form, or a function that returns them for the typed values. */
  settings: readonly Setting[] | ((typed: Readonly<Record<string, FieldValue>>) => readonly Setting[])
  shown: Settings
  /** Path of the call that changes them and returns the settings then in force. */
  path: string
  onSaved?: () => void
}

/** A form of settings. Only changed, visible settings are sent; those the server sets are locked and say so. */
export function SettingsForm({ settings, shown, path, onSaved }: SettingsFormProps): VNode {
  const [current, setCurrent] = useState(shown)
  useEffect(() => setCurrent(shown), [shown])
  const stored = typedForms(current.values)
  const form = useForm(stored)
  const fields = typeof settings === 'function' ? settings(form.values) : settings
  const open = fields.filter(({ name, hidden }) => !hidden && current.sources[name] !== 'server')

  async function save(): Promise<void> {
    const sent = form.values
    const changed = open.filter((one) => JSON.stringify(valueOf(one, sent[one.name])) !== JSON.stringify(valueOf(one, stored[one.name])))
    const values = Object.fromEntries(changed.map((one) => [one.name, valueOf(one, sent[one.name])]))
    setCurrent(await call<Settings>('PUT', path, values))
    form.settle(Object.fromEntries(open.map(({ name }) => [name, sent[name]!])))
    announce(say('saved'))
    onSaved?.()
  }

  const isLocked = fields.every(({ name }) => current.sources[name] === 'server')
  return html`
    <${Form} form=${form} submitWords=${say('save')} onSubmit=${save} isLocked=${isLocked}>
      ${fields.map((one) => html`<${SettingField} key=${one.name} setting=${one} isLocked=${current.sources[one.name] === 'server'} />`)}
    <//>
  `
}

function SettingField({ setting: { kind = 'text', ...field }, isLocked }: { setting: Setting; isLocked: boolean }): VNode {
  const { name, choices, type } = field
  const common = { ...field, label: say(`setting.${name}`), locked: isLocked ? say('rule.setByServer') : null }
  if (kind === 'words' || kind === 'numbers') return html`<${ChoicesField} ...${common} />`
  const switched = [
    ['0', say('off')],
    ['1', say('on')],
  ]
  return html`<${Field}
    ...${common}
    type=${type ?? (kind === 'number' ? 'number' : 'text')}
    choices=${kind === 'flag' ? switched : choices}
  />`
}

/** Return the values as fields show them. */
const typedForms = (values: Settings['values']): Record<string, FieldValue> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value.map(String) : textOf(value)]))

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

/** Return a typed value as the value of a setting; each kind has its own type. */
function valueOf({ kind = 'text', choices = [] }: Setting, typed: FieldValue = ''): unknown {
  if (typeof typed !== 'string') {
    const ticked = choices.map(([value]) => value).filter((value) => typed.includes(value))
    return kind === 'numbers' ? ticked.map(Number) : ticked
  }
  if (kind === 'text') return typed
  const trimmed = typed.trim()
  if (kind === 'choice') return trimmed
  if (kind === 'address') return trimmed || null
  return trimmed === '' ? null : Number(trimmed)
}
