/** The console's pages: which one an address shows, the frame around them, and what interrupts them. */
import { call, watchCalls } from './api.ts'
import { showAccount } from './account.ts'
import { showBulk } from './bulk.ts'
import { showDetection } from './detection.ts'
import { showDevice } from './device.ts'
import { button, h, icon, note, wordsOf } from './dom.ts'
import { showLogin } from './login.ts'
import { showNetwork } from './network.ts'
import { showPeople } from './people.ts'
import { showRecords } from './records.ts'
import { showScreenSaver } from './screen-saver.ts'
import { showSettings } from './settings.ts'
import { showTime } from './time.ts'
import { showVolume } from './volume.ts'
import { firstLanguage, LANGUAGES, remember, say, speak, type Language } from './words.ts'

/** Fills a page; what it returns ends what it began, such as a camera. */
export type Show = (page: HTMLElement) => Promise<(() => void) | void>

const PAGES: Readonly<Record<string, Show>> = {
  people: showPeople,
  bulkPeople: showBulk,
  device: showDevice,
  detection: showDetection,
  settings: showSettings,
  time: showTime,
  network: showNetwork,
  volume: showVolume,
  screenSaver: showScreenSaver,
  records: showRecords,
  account: showAccount,
}
const FIRST = 'people'
/** Milliseconds between two looks at a terminal that is being upgraded. */
const LOOK = 2_000

const app = document.getElementById('app')!
let leave: (() => void) | void
let shown = 0
let blocked = false

const pathNow = () => location.pathname.replace(/^\/console\/?/, '')
const nameOf = (path: string) => (path in PAGES ? path : FIRST)

function go(path: string): void {
  history.pushState(null, '', `/console/${path}`)
  void render()
}

async function render(): Promise<void> {
  const own = ++shown
  leave?.()
  leave = undefined
  if (blocked) return
  if (pathNow() === 'login') {
    document.title = `${say('login')} · Gatehouse`
    return showLogin(app, languageChoice(), () => go(FIRST))
  }
  const name = nameOf(pathNow())
  document.title = `${say(`page.${name}`)} · Gatehouse`
  const page = h('main', { id: 'page', 'aria-busy': 'true' })
  frame(name, page)
  try {
    const ends = await PAGES[name]!(page)
    if (own === shown) leave = ends
    else ends?.()
  } catch (error) {
    if (own === shown)
      page.replaceChildren(
        note(wordsOf(error), 'warning'),
        button(say('again'), () => void render()),
      )
  }
  page.setAttribute('aria-busy', 'false')
}

function frame(name: string, page: HTMLElement): void {
  const links = Object.keys(PAGES)
    .filter((path) => path !== 'account')
    .map((path) => h('li', {}, link(path, path === name)))
  const title = h('p', { class: 'device', id: 'device-name' })
  app.replaceChildren(
    h(
      'div',
      { class: 'shell' },
      h('nav', { class: 'side', 'aria-label': say('pages') }, title, h('ul', {}, ...links)),
      h(
        'div',
        { class: 'body' },
        h(
          'header',
          { class: 'bar' },
          h('h1', {}, say(`page.${name}`)),
          languageChoice(),
          link('account', name === 'account'),
          h('button', { type: 'button', class: 'plain', onclick: () => void logOut() }, icon('leave'), say('logout')),
        ),
        page,
      ),
    ),
  )
  document.querySelector('.side [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  void nameDevice(title)
}

function link(path: string, current: boolean): HTMLAnchorElement {
  return h(
    'a',
    {
      href: `/console/${path}`,
      'aria-current': current ? 'page' : null,
      onclick: (event) => {
        const { ctrlKey, metaKey, shiftKey } = event as MouseEvent
        if (ctrlKey || metaKey || shiftKey) return
        event.preventDefault()
        go(path)
      },
    },
    icon(path),
    h('span', {}, say(`page.${path}`)),
  )
}

async function nameDevice(title: HTMLElement): Promise<void> {
  const state = await stateOf()
  title.textContent = state?.device?.name ?? state?.code ?? ''
}

async function stateOf(): Promise<{ code: string; version: string; device: { name: string } | null } | null> {
  try {
    return await (await fetch('/state')).json()
  } catch {
    return null
  }
}

async function logOut(): Promise<void> {
  await call('POST', 'logout').catch(() => {})
  go('login')
}

function languageChoice(): HTMLElement {
  const choice = h(
    'select',
    {
      'aria-label': say('language'),
      onchange: () => {
        remember(choice.value as Language)
        void speak(choice.value as Language).then(render)
      },
    },
    ...LANGUAGES.map(([language, words]) =>
      h('option', { value: language, lang: language, selected: language === document.documentElement.lang }, words),
    ),
  )
  return h('span', { class: 'language' }, choice)
}

/** Nothing else can be done until the terminal is back. */
function block(words: string): void {
  if (blocked) return
  blocked = true
  const before = stateOf()
  app.replaceChildren(h('main', { class: 'blocked', role: 'alert' }, icon('warning'), h('h1', {}, words), h('p', {}, say('upgradeHint'))))
  let wasAway = false
  const looking = setInterval(() => {
    void (async () => {
      const [then, now] = [await before, await stateOf()]
      if (!now) wasAway = true
      if (!now || (!wasAway && now.version === then?.version)) return
      clearInterval(looking)
      location.assign('/console/device')
    })()
  }, LOOK)
}

watchCalls({ loggedOut: () => pathNow() !== 'login' && go('login'), upgrading: block })
addEventListener('popstate', () => void render())
await speak(firstLanguage())
await render()
