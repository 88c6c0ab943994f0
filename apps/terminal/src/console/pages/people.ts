/** People registered at this terminal: list, search, add, change, delete. */
import { call, callWords } from './api.ts'
import { ask, button, h, note, tell, troublePlace, work } from './dom.ts'
import { askPerson, type Person } from './person-form.ts'
import { moment, number, say } from './words.ts'

interface Found {
  total: number
  content: Person[]
  room: number
}

const SIZE = 20
/** Milliseconds after the last key until it is searched. */
const PATIENCE = 250

export async function showPeople(page: HTMLElement): Promise<void> {
  let search = ''
  let at = 1
  const chosen = new Set<string>()
  const trouble = troublePlace()
  const table = h('div', { class: 'table' })
  const pager = h('div', { class: 'pager' })
  const remove = button(say('delete'), () => confirmRemoval(), { class: 'danger', disabled: true })
  let typing: ReturnType<typeof setTimeout> | undefined
  const searching = h('input', {
    type: 'search',
    'aria-label': say('searchPeople'),
    placeholder: say('searchPeople'),
    oninput: () => {
      clearTimeout(typing)
      typing = setTimeout(() => {
        search = searching.value
        at = 1
        void load()
      }, PATIENCE)
    },
  })
  const add = button(say('addPerson'), () => askPerson(null, () => void load()), { class: 'primary' })

  page.append(
    note(say('peopleHint')),
    h('div', { class: 'tools' }, searching, h('span', { class: 'spring' }), remove, add),
    trouble,
    table,
    pager,
  )
  await load()

  async function load(): Promise<void> {
    const asked = search
    const found = await call<Found>('GET', `people?page=${at}&size=${SIZE}&search=${encodeURIComponent(search)}`)
    if (asked !== search) return
    if (found.content.length === 0 && at > 1) {
      at--
      return load()
    }
    chosen.clear()
    remove.disabled = true
    table.replaceChildren(found.content.length > 0 ? listOf(found.content) : empty())
    const pages = Math.max(1, Math.ceil(found.total / SIZE))
    pager.replaceChildren(
      h('span', {}, say('peopleCount', { count: number(found.total), room: number(found.room) })),
      h('span', { class: 'spring' }),
      button(say('before'), () => void turn(-1), { disabled: at <= 1 }),
      h('span', {}, `${at} / ${pages}`),
      button(say('next'), () => void turn(1), { disabled: at >= pages }),
    )
  }

  function turn(by: number): Promise<void> {
    at += by
    return load()
  }

  function empty(): HTMLElement {
    return h('p', { class: 'empty' }, say(search === '' ? 'noPeople' : 'nobodyFound'))
  }

  function listOf(people: readonly Person[]): HTMLElement {
    const head = ['', say('pictures'), say('name'), say('workNumber'), say('card'), say('validity'), say('actions')]
    return h(
      'table',
      {},
      h('thead', {}, h('tr', {}, ...head.map((words) => (words === '' ? h('td', {}) : h('th', { scope: 'col' }, words))))),
      h('tbody', {}, ...people.map(row)),
    )
  }

  function row(person: Person): HTMLElement {
    const tick = h('input', {
      type: 'checkbox',
      'aria-label': say('choose', { name: person.name }),
      onchange: () => {
        if (tick.checked) chosen.add(person.id)
        else chosen.delete(person.id)
        remove.disabled = chosen.size === 0
      },
    })
    const face = person.faces[0]
    return h(
      'tr',
      {},
      h('td', {}, tick),
      h(
        'td',
        {},
        face ? h('img', { class: 'face', src: `/console/api/pictures/${face}`, alt: '' }) : '–',
        person.recognisable < person.faces.length && h('span', { class: 'mark' }, say('notRecognisable')),
      ),
      h('th', { scope: 'row' }, person.name),
      h('td', {}, person.workNumber),
      h('td', {}, person.card || '–'),
      h('td', {}, validity(person)),
      h(
        'td',
        {},
        button(say('edit'), () => askPerson(person, () => void load()), { 'aria-label': say('editOf', { name: person.name }) }),
      ),
    )
  }

  function confirmRemoval(): void {
    ask(say('delete'), (close) => {
      const wrong = troublePlace()
      const confirm = button(say('delete'), () => void work(confirm, wrong, removeChosen), { class: 'danger' })
      async function removeChosen(): Promise<void> {
        tell(await callWords('POST', 'people/delete', { ids: [...chosen] }).finally(() => void load()))
        close()
      }
      return [
        h('p', {}, say('deleteLost', { count: chosen.size })),
        wrong,
        h('div', { class: 'actions' }, button(say('cancel'), close), confirm),
      ]
    })
  }
}

function validity({ validFrom, validTo }: Person): string {
  if (validFrom === null && validTo === null) return say('always')
  return `${validFrom === null ? '…' : moment(validFrom)} – ${validTo === null ? '…' : moment(validTo)}`
}
