/** Screen saver: its picture, and after how long it comes. */
import { call } from './api.ts'
import { button, card, h, note, tell, troublePlace, work } from './dom.ts'
import { settingsForm, type Shown } from './setting-fields.ts'
import { say } from './words.ts'

export async function showScreenSaver(page: HTMLElement): Promise<void> {
  const told = await call<Shown & { picture: boolean }>('GET', 'screenSaver')
  page.append(
    pictureCard(told),
    card(
      say('screenSaverTime'),
      settingsForm(
        [{ name: 'screenSaverAfter', kind: 'number', min: 0, max: 86_400, step: 1, hint: say('screenSaverAfterHint') }],
        told,
        'settings',
      ),
    ),
  )
}

function pictureCard({ picture, sources }: Shown & { picture: boolean }): HTMLElement {
  const shown = h('img', { class: 'saver', alt: say('screenSaverPicture'), hidden: !picture, src: picture ? address() : null })
  const none = h('p', { class: 'empty', hidden: picture }, say('noScreenSaver'))
  if (sources['screenSaver'] === 'server') return card(say('screenSaverPicture'), shown, none, note(say('rule.setByServer')))
  const trouble = troublePlace()
  const file = h('input', { type: 'file', accept: 'image/png', hidden: true, id: 'saver', 'aria-label': say('chooseFile') })
  const choose = button(say('chooseFile'), () => file.click(), { class: 'primary' })
  const remove = button(say('remove'), () => void work(remove, trouble, dropIt), { hidden: !picture })
  file.addEventListener('change', () => {
    const chosen = file.files?.[0]
    file.value = ''
    if (chosen) void work(choose, trouble, () => keep(chosen))
  })

  async function keep(chosen: File): Promise<void> {
    await call('PUT', 'screenSaver/picture', chosen)
    show(true)
  }

  async function dropIt(): Promise<void> {
    await call('POST', 'screenSaver/remove')
    show(false)
  }

  function show(isThere: boolean): void {
    shown.hidden = remove.hidden = !isThere
    none.hidden = isThere
    if (isThere) shown.src = address()
    else shown.removeAttribute('src')
    tell(say('saved'))
  }

  return card(
    say('screenSaverPicture'),
    note(say('screenSaverHint')),
    shown,
    none,
    trouble,
    h('div', { class: 'actions left' }, remove, choose, file),
  )
}

/** Another address each time: the old picture is not shown again. */
const address = () => `/console/api/screenSaver/picture?at=${Date.now()}`
