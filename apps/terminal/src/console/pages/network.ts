/** Network: address, server, wireless network. */
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { call } from './api.ts'
import { Button } from './kit/button.ts'
import { Card, Facts, Note, type Fact } from './kit/card.ts'
import { Field } from './kit/field.ts'
import { Form, useForm, type FieldValue } from './kit/form.ts'
import { html } from './kit/html.ts'
import { loadedPage, type LoadedProps } from './kit/loaded-page.ts'
import { announce } from './kit/notice.ts'
import { Trouble, useTask } from './kit/task.ts'
import { SettingsForm, type Setting, type Settings } from './settings-form.ts'
import { number, say } from './words.ts'

interface Network extends Settings {
  state: { kind: string; detail?: string }
  manages: boolean
  wifi: boolean
  server: string
  online: boolean
  security: string | null
  /** The server of the settings, if another one is in use, and the reason. */
  wished: string | null
  trouble: string | null
  interfaces: { name: string; address: string; netmask: string; family: string }[]
}

function NetworkCards({ data: network }: LoadedProps<Network>): VNode {
  const { state, interfaces, wifi } = network
  const words = say(`network.${state.kind}`)
  return html`
    <${Card} title=${say('addresses')}>
      <${Facts} facts=${interfaces.map(({ name, address, netmask }) => [name, `${address} / ${netmask}`])} />
      <${Note} isWarning=${state.kind === 'failed'}>${state.detail ? `${words} ${state.detail}` : words}<//>
    <//>
    <${AddressCard} network=${network} />
    <${ServerCard} network=${network} />
    <${Card} title=${say('wifi')}>${wifi ? html`<${WifiForm} />` : html`<${Note}>${say('why.wifiOfMachine')}<//>`}<//>
  `
}

const STATIC = '2'

const addressSettings = (typed: Readonly<Record<string, FieldValue>>): Setting[] => [
  {
    name: 'networkMode',
    kind: 'numberChoice',
    choices: [
      ['', say('networkAsIs')],
      ['1', 'DHCP'],
      [STATIC, say('staticAddress')],
    ],
  },
  ...['ip', 'subnetMask', 'gateway', 'dns'].map((name): Setting => ({
    name,
    kind: 'address',
    maxlength: 45,
    hidden: typed['networkMode'] !== STATIC,
  })),
]

function AddressCard({ network }: { network: Network }): VNode {
  return html`
    <${Card} title=${say('ownAddress')}>
      ${!network.manages && html`<${Note}>${say('network.unmanagedHint')}<//>`}
      <${SettingsForm} settings=${addressSettings} shown=${network} path="network" />
    <//>
  `
}

const serverSettings = (): Setting[] => [
  { name: 'serverAddress', kind: 'address', maxlength: 253, hint: say('serverAddressHint') },
  { name: 'port', kind: 'number', min: 1, max: 65_535, step: 1 },
]

function ServerCard({ network }: { network: Network }): VNode {
  const { server, online, security, wished, trouble: reason } = network
  const { isBusy, trouble, run } = useTask()
  const [milliseconds, setMilliseconds] = useState<number | null>(null)
  const test = async () => {
    setMilliseconds(null)
    setMilliseconds((await call<{ milliseconds: number }>('POST', 'network/test')).milliseconds)
  }
  const facts: Fact[] = [
    [say('serverNow'), server],
    [say('link'), say(online ? 'link.online' : 'link.away')],
  ]
  if (security !== null) facts.push([say('serverSecurity'), say(`network.security.${security}`)])
  return html`
    <${Card} title=${say('server')}>
      <${Facts} facts=${facts} />
      ${
        reason !== null &&
        wished !== null &&
        html`<${Note} isWarning=${reason !== 'trying'}>${say(`network.server.${reason}`, { address: wished })}<//>`
      }
      <${SettingsForm} settings=${serverSettings} shown=${network} path="network" />
      <${Button} inactive=${isBusy} onPress=${() => void run(test)}>${say('testServer')}<//>
      <${Trouble} words=${trouble} />
      <p role="status">${milliseconds !== null && say('serverAnswered', { count: number(milliseconds) })}</p>
    <//>
  `
}

function WifiForm(): VNode {
  const form = useForm({ name: '', password: '' })
  const join = async () => {
    await call('POST', 'network/wifi', form.values)
    announce(say('saved'))
  }
  return html`
    <${Form} form=${form} submitWords=${say('join')} onSubmit=${join}>
      <${Field} name="name" label=${say('wifiName')} maxlength="32" />
      <${Field} name="password" label=${say('password')} type="password" maxlength="63" />
    <//>
  `
}

export const NetworkPage = loadedPage(() => call<Network>('GET', 'network'), NetworkCards)
