/** Actions that cannot be undone: a dialog asks for confirmation and the password. */
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { say } from '../words.ts'
import { Button } from './button.ts'
import { Dialog } from './dialog.ts'
import { Field } from './field.ts'
import { Form, useForm } from './form.ts'
import { html } from './html.ts'

interface Confirmation {
  words: string
  /** What the action does, and what is lost. */
  warning: string
  /** Run the action. @throws Refused, which the dialog shows */
  onConfirm: (password: string) => Promise<void>
}

/** A button that asks for the password in a dialog before it runs its action. */
export function ConfirmedButton({ look, inactive, ...confirmation }: Confirmation & { look?: string; inactive?: boolean }): VNode {
  const [isAsked, setAsked] = useState(false)
  return html`
    <div>
      <${Button} look=${look} inactive=${inactive} onPress=${() => setAsked(true)}>${confirmation.words}<//>
      ${isAsked && html`<${ConfirmationDialog} ...${confirmation} onClose=${() => setAsked(false)} />`}
    </div>
  `
}

function ConfirmationDialog({ words, warning, onConfirm, onClose }: Confirmation & { onClose: () => void }): VNode {
  const form = useForm({ password: '' })
  const confirm = async () => {
    await onConfirm(form.values.password)
    onClose()
  }
  return html`
    <${Dialog} title=${words} onClose=${onClose}>
      <p>${warning}</p>
      <${Form} form=${form} submitWords=${words} submitLook="primary danger" onSubmit=${confirm} onCancel=${onClose}>
        <${Field} name="password" label=${say('password')} type="password" autocomplete="current-password" />
      <//>
    <//>
  `
}
