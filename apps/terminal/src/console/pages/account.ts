/** The account of the console: name and password. */
import type { VNode } from 'preact'
import { call, refusedFields } from './api.ts'
import { Card, Note } from './kit/card.ts'
import { Field } from './kit/field.ts'
import { Form, useForm } from './kit/form.ts'
import { html } from './kit/html.ts'
import { loadedPage, type LoadedProps } from './kit/loaded-page.ts'
import { announce } from './kit/notice.ts'
import { say } from './words.ts'

interface Account {
  account: string
  nameFromServer: boolean
  /** The server sets name and password. */
  ofServer: boolean
}

const LENGTH = 20

function AccountCard({ data }: LoadedProps<Account>): VNode {
  return html`<${Card} title=${say('page.account')}>
    ${data.ofServer ? html`<${Note}>${say('accountOfServer', { account: data.account })}<//>` : html`<${AccountForm} ...${data} />`}
  <//>`
}

function AccountForm({ account, nameFromServer }: Account): VNode {
  const form = useForm({ account, password: '', newPassword: '', again: '' })
  const save = async () => {
    const { again, ...change } = form.values
    if (change.newPassword !== again) throw refusedFields({ again: say('passwordsDiffer') })
    await call('PUT', 'account', change)
    form.settle({ password: change.password, newPassword: change.newPassword, again })
    announce(say('saved'))
  }
  const locked = nameFromServer ? say('rule.setByServer') : null
  const secret = { type: 'password', autocomplete: 'new-password', maxlength: LENGTH }
  return html`
    <${Form} form=${form} submitWords=${say('save')} onSubmit=${save}>
      <${Field}
        name="account"
        label=${say('account')}
        hint=${say('accountHint')}
        maxlength=${LENGTH}
        autocomplete="username"
        locked=${locked}
      />
      <${Field} name="password" label=${say('oldPassword')} type="password" autocomplete="current-password" />
      <${Field} name="newPassword" label=${say('newPassword')} hint=${say('newPasswordHint')} ...${secret} />
      <${Field} name="again" label=${say('passwordAgain')} ...${secret} />
    <//>
  `
}

export const AccountPage = loadedPage(() => call<Account>('GET', 'account'), AccountCard)
