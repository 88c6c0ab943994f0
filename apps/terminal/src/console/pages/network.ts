/** Network: address, server, wireless network. */
import { call } from './api.ts'
import { button, card, facts, field, form, h, note, tell, troublePlace, work } from './dom.ts'
import { settingsForm, type Shown } from './setting-fields.ts'
import { number, say } from './words.ts'

interface Told extends Shown {
  state: { kind: string; detail?: string }
  manages: boolean
  wifi: boolean
  server: string
  online: boolean
  security: string | null
  wished: string | null
  trouble: string | null
  interfaces: { name: string; address: string; netmask: string; family: string }[]
}

export async function showNetwork(page: HTMLElement): Promise<void> {
  const told = await call<Told>('GET', 'network')
  const state = say(`network.${told.state.kind}`)
  page.append(
    card(
      say('addresses'),
      facts(told.interfaces.map(({ name, address, netmask }) => [name, `${address} / ${netmask}`] as const)),
      note(told.state.detail ? `${state} ${told.state.detail}` : state, told.state.kind === 'failed' ? 'warning' : 'quiet'),
    ),
    addressCard(told),
    serverCard(told),
    wifiCard(told.wifi),
  )
}

function addressCard(told: Told): HTMLElement {
  const own = settingsForm(
    [
      {
        name: 'networkMode',
        kind: 'numberChoice',
        choices: [
          ['', say('networkAsIs')],
          ['1', 'DHCP'],
          ['2', say('staticAddress')],
        ],
      },
      ...['ip', 'subnetMask', 'gateway', 'dns'].map((name) => ({ name, kind: 'address' as const, maxlength: 45 })),
    ],
    told,
    'network',
  )
  const mode = own.querySelector<HTMLSelectElement>('[name=networkMode]')!
  const follow = () =>
    own.querySelectorAll<HTMLElement>('.field:not([data-name=networkMode])').forEach((row) => (row.hidden = mode.value !== '2'))
  mode.addEventListener('change', follow)
  follow()
  return card(say('ownAddress'), ...(told.manages ? [] : [note(say('network.unmanagedHint'))]), own)
}

function serverCard(told: Told): HTMLElement {
  const trouble = troublePlace()
  const result = h('p', { role: 'status' })
  const test = button(
    say('testServer'),
    () =>
      void work(test, trouble, async () => {
        result.textContent = ''
        const { milliseconds } = await call<{ milliseconds: number }>('POST', 'network/test')
        result.textContent = say('serverAnswered', { count: number(milliseconds) })
      }),
  )
  return card(
    say('server'),
    facts([
      [say('serverNow'), told.server],
      [say('link'), say(told.online ? 'link.online' : 'link.away')],
      ...(told.security === null ? [] : [[say('serverSecurity'), say(`network.security.${told.security}`)] as const]),
    ]),
    ...(told.trouble === null || told.wished === null
      ? []
      : [note(say(`network.server.${told.trouble}`, { address: told.wished }), told.trouble === 'trying' ? 'quiet' : 'warning')]),
    settingsForm(
      [
        { name: 'serverAddress', kind: 'address', maxlength: 253, hint: say('serverAddressHint') },
        { name: 'port', kind: 'number', min: 1, max: 65_535, step: 1 },
      ],
      told,
      'network',
    ),
    h('div', { class: 'actions left' }, test),
    trouble,
    result,
  )
}

function wifiCard(isThere: boolean): HTMLElement {
  if (!isThere) return card(say('wifi'), note(say('why.wifiOfMachine')))
  const name = field({ name: 'name', label: say('wifiName'), maxlength: 32 })
  const password = field({ name: 'password', label: say('password'), type: 'password', maxlength: 63 })
  return card(
    say('wifi'),
    form([name, password], say('join'), async () => {
      await call('POST', 'network/wifi', { name: name.input.value, password: password.input.value })
      tell(say('saved'))
    }),
  )
}
