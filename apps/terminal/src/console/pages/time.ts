/** Time: zone, clock and time server. */
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { call } from './api.ts'
import { localText } from './browser-time.ts'
import { Button } from './kit/button.ts'
import { Card, Facts, Note } from './kit/card.ts'
import { Field } from './kit/field.ts'
import { Form, useForm } from './kit/form.ts'
import { html } from './kit/html.ts'
import { loadedPage, type LoadedProps } from './kit/loaded-page.ts'
import { announce } from './kit/notice.ts'
import { Trouble, useTask } from './kit/task.ts'
import { SettingsForm, type Setting, type Settings } from './settings-form.ts'
import { moment, number, say } from './words.ts'

interface Time extends Settings {
  /** Time of the terminal when it answered, in milliseconds since 1970. */
  now: number
  zone: string | null
  /** Minutes east of UTC. */
  zones: number[]
  /** `offset` in milliseconds. */
  timeServer: { server: string; offset: number | null; failure: string | null } | null
  canSet: boolean
}

const SECOND_MS = 1_000

function TimeCards({ data: time, reload }: LoadedProps<Time>): VNode {
  const zones = (): Setting[] => [
    {
      name: 'timeZone',
      kind: 'numberChoice',
      choices: [['', say('zoneOfPark')], ...time.zones.map((minutes) => [String(minutes), zoneInWords(minutes)] as const)],
      hint: say('zonesHint', { count: time.zones.length }),
    },
  ]
  return html`
    <${Card} title=${say('timeNow')}>
      <${Clock} time=${time} />
      <${Facts} facts=${[[say('zoneShown'), time.zone ?? '–']]} />
    <//>
    <${Card} title=${say('setting.timeZone')}>
      <${SettingsForm} settings=${zones} shown=${time} path="settings" onSaved=${() => void reload()} />
    <//>
    <${TimeServerCard} time=${time} reload=${reload} />
    <${Card} title=${say('setTime')}>
      ${time.canSet ? html`<${ClockForm} reload=${reload} />` : html`<${Note}>${say('why.clockOfMachine')}<//>`}
    <//>
  `
}

/** The clock of the terminal, advanced by that of the browser. */
function Clock({ time }: { time: Time }): VNode {
  const [ahead, setAhead] = useState(time.now - Date.now())
  const [, setTick] = useState(0)
  useEffect(() => setAhead(time.now - Date.now()), [time])
  useEffect(() => {
    const timer = setInterval(() => setTick(Date.now()), SECOND_MS)
    return () => clearInterval(timer)
  }, [])
  return html`<p class="clock">${moment(Date.now() + ahead, time.zone ?? undefined)}</p>`
}

const serverSettings = (): Setting[] => [{ name: 'ntpServer', kind: 'address', maxlength: 253, hint: say('ntpHint') }]

function TimeServerCard({ time, reload }: { time: Time; reload: () => Promise<void> }): VNode {
  const { isBusy, trouble, run } = useTask()
  /** Milliseconds the clock was off. */
  const [measured, setMeasured] = useState<number | null>(null)
  const offset = measured ?? time.timeServer?.offset ?? null
  const synchronise = async () => setMeasured((await call<{ offset: number }>('POST', 'time/synchronise')).offset)
  return html`
    <${Card} title=${say('timeServer')}>
      <${SettingsForm} settings=${serverSettings} shown=${time} path="settings" onSaved=${() => void reload()} />
      <${Button} inactive=${isBusy} onPress=${() => void run(synchronise)}>${say('synchronise')}<//>
      <${Trouble} words=${trouble} />
      <p role="status">${offset !== null && say('clockOff', { seconds: number(offset / SECOND_MS, 1) })}</p>
    <//>
  `
}

function ClockForm({ reload }: { reload: () => Promise<void> }): VNode {
  const form = useForm({ moment: '' })
  const save = async () => {
    await call('POST', 'time/set', { moment: new Date(form.values.moment).getTime() })
    announce(say('saved'))
    void reload()
  }
  return html`
    <${Form} form=${form} submitWords=${say('setTime')} onSubmit=${save}>
      <${Field} name="moment" label=${say('newTime')} type="datetime-local" step="1" />
    <//>
    <${Button} onPress=${() => form.edit('moment', localText(Date.now()))}>${say('timeOfBrowser')}<//>
  `
}

/** Return minutes east of UTC as people write them. */
function zoneInWords(minutes: number): string {
  const twoDigits = (value: number) => String(value).padStart(2, '0')
  const distance = Math.abs(minutes)
  return `UTC${minutes < 0 ? '−' : '+'}${twoDigits(Math.floor(distance / 60))}:${twoDigits(distance % 60)}`
}

export const TimePage = loadedPage(() => call<Time>('GET', 'time'), TimeCards)
