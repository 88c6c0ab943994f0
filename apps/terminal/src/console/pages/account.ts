/** The account of the console: name and password. */
import { call } from './api.ts'
import { card, field, form, note, tell } from './dom.ts'
import { say } from './words.ts'

export async function showAccount(page: HTMLElement): Promise<void> {
  const { account, nameFromServer, ofServer } = await call<{ account: string; nameFromServer: boolean; ofServer: boolean }>(
    'GET',
    'account',
  )
  if (ofServer) {
    page.append(card(say('page.account'), note(say('accountOfServer', { account }))))
    return
  }
  const name = field({
    name: 'account',
    label: say('account'),
    value: account,
    hint: say('accountHint'),
    maxlength: 20,
    autocomplete: 'username',
    locked: nameFromServer ? say('rule.setByServer') : null,
  })
  const password = field({ name: 'password', label: say('oldPassword'), type: 'password', autocomplete: 'current-password' })
  const newPassword = field({
    name: 'newPassword',
    label: say('newPassword'),
    type: 'password',
    hint: say('newPasswordHint'),
    autocomplete: 'new-password',
    maxlength: 20,
  })
  const again = field({ name: 'again', label: say('passwordAgain'), type: 'password', autocomplete: 'new-password', maxlength: 20 })
  const own = form([name, password, newPassword, again], say('save'), async () => {
    if (newPassword.input.value !== again.input.value) {
      again.row.querySelector('.issue')!.textContent = say('passwordsDiffer')
      again.input.setAttribute('aria-invalid', 'true')
      return again.input.focus()
    }
    await call('PUT', 'account', { account: name.input.value, password: password.input.value, newPassword: newPassword.input.value })
    for (const one of [password, newPassword, again]) one.input.value = ''
    tell(say('saved'))
  })
  page.append(card(say('page.account'), own))
}
