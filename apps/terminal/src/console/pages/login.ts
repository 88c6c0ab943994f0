/** The login page, with the form in the middle of the page. */
import type { VNode } from 'preact'
import { call } from './api.ts'
import { Field } from './kit/field.ts'
import { Form, useForm } from './kit/form.ts'
import { html } from './kit/html.ts'
import { LanguageChoice } from './language-choice.ts'
import { say } from './words.ts'

export function LoginPage({ onDone }: { onDone: () => void }): VNode {
  const form = useForm({ account: '', password: '' })
  const logIn = async () => {
    await call('POST', 'login', form.values)
    onDone()
  }
  return html`
    <main class="login">
      <h1>${say('title')}</h1>
      <${Form} form=${form} submitWords=${say('login')} onSubmit=${logIn}>
        <${Field} name="account" label=${say('account')} autocomplete="username" autofocus />
        <${Field} name="password" label=${say('password')} type="password" autocomplete="current-password" />
      <//>
      <${LanguageChoice} />
    </main>
  `
}
