/** Login: the way in, in the middle of the page. */
import { call } from './api.ts'
import { field, form, h } from './dom.ts'
import { say } from './words.ts'

export function showLogin(app: HTMLElement, languages: HTMLElement, onDone: () => void): void {
  const account = field({ name: 'account', label: say('account'), autocomplete: 'username' })
  const password = field({ name: 'password', label: say('password'), type: 'password', autocomplete: 'current-password' })
  const own = form([account, password], say('login'), async () => {
    await call('POST', 'login', { account: account.input.value, password: password.input.value })
    onDone()
  })
  app.replaceChildren(h('main', { class: 'login' }, h('h1', {}, say('title')), own, languages))
  account.input.focus()
}
