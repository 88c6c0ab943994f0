/** Time: zone, clock and time server. */
import { call } from './api.ts'
import { button, card, facts, field, form, h, note, tell, troublePlace, work } from './dom.ts'
import { settingsForm, type Shown } from './setting-fields.ts'
import { moment, number, say } from './words.ts'

interface Told extends Shown {
  now: number
  zone: string | null
  zones: number[]
  timeServer: { server: string; offset: number | null; failure: string | null } | null
  canSet: boolean
}

const SECOND = 1_000

export async function showTime(page: HTMLElement): Promise<() => void> {
  const told = await call<Told>('GET', 'time')
  const ahead = told.now - Date.now()
  const clock = h('p', { class: 'clock' })
  const tick = () => (clock.textContent = moment(Date.now() + ahead, told.zone ?? undefined))
  tick()
  const ticking = setInterval(tick, SECOND)
  const zones = told.zones.map((minutes) => [String(minutes), offset(minutes)] as const)
  const refresh = () => page.dispatchEvent(new Event('refresh'))

  page.append(
    card(say('timeNow'), clock, facts([[say('zoneShown'), told.zone ?? '–']])),
    card(
      say('setting.timeZone'),
      settingsForm(
        [
          {
            name: 'timeZone',
            kind: 'numberChoice',
            choices: [['', say('zoneOfPark')], ...zones],
            hint: say('zonesHint', { count: told.zones.length }),
          },
        ],
        told,
        'settings',
        refresh,
      ),
    ),
    serverCard(told, refresh),
    setCard(told.canSet),
  )
  page.addEventListener('refresh', () => {
    clearInterval(ticking)
    dispatchEvent(new PopStateEvent('popstate'))
  })
  return () => clearInterval(ticking)
}

function serverCard(told: Told, refresh: () => void): HTMLElement {
  const trouble = troublePlace()
  const result = h(
    'p',
    { role: 'status' },
    told.timeServer?.offset != null ? say('clockOff', { seconds: number(told.timeServer.offset / 1000, 1) }) : '',
  )
  const synchronise = button(
    say('synchronise'),
    () =>
      void work(synchronise, trouble, async () => {
        const { offset: off } = await call<{ offset: number }>('POST', 'time/synchronise')
        result.textContent = say('clockOff', { seconds: number(off / 1000, 1) })
      }),
  )
  return card(
    say('timeServer'),
    settingsForm([{ name: 'ntpServer', kind: 'address', maxlength: 253, hint: say('ntpHint') }], told, 'settings', refresh),
    h('div', { class: 'actions left' }, synchronise),
    trouble,
    result,
  )
}

function setCard(canSet: boolean): HTMLElement {
  if (!canSet) return card(say('setTime'), note(say('why.clockOfMachine')))
  const time = field({ name: 'moment', label: say('newTime'), type: 'datetime-local', step: 1 })
  return card(
    say('setTime'),
    form([time], say('setTime'), async () => {
      await call('POST', 'time/set', { moment: new Date(time.input.value).getTime() })
      tell(say('saved'))
    }),
    button(say('timeOfBrowser'), () => {
      time.input.value = new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 19)
    }),
  )
}

/** Minutes east of UTC as people write them. */
function offset(minutes: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const beyond = Math.abs(minutes)
  return `UTC${minutes < 0 ? '−' : '+'}${two(Math.floor(beyond / 60))}:${two(beyond % 60)}`
}
