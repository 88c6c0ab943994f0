/** People registered at this terminal: list, search, add, change, delete. */
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { call, callWords } from './api.ts'
import { Button } from './kit/button.ts'
import { Note } from './kit/card.ts'
import { Dialog } from './kit/dialog.ts'
import { html } from './kit/html.ts'
import { useLatest } from './kit/latest.ts'
import { loadedPage, type LoadedProps } from './kit/loaded-page.ts'
import { announce } from './kit/notice.ts'
import { Trouble, useTask } from './kit/task.ts'
import { PeopleTable } from './people-table.ts'
import { PersonDialog, type Person } from './person-dialog.ts'
import { number, say } from './words.ts'

interface Found {
  total: number
  content: Person[]
  /** How many more people fit. */
  room: number
}

interface Query {
  search: string
  /** From 1. */
  page: number
}

const SIZE = 20
/** Milliseconds after the last key until the search starts. */
const SEARCH_DELAY_MS = 250

async function find({ search, page }: Query): Promise<Found & Query> {
  const found = await call<Found>('GET', `people?page=${page}&size=${SIZE}&search=${encodeURIComponent(search)}`)
  // The last person of the page has been deleted.
  return found.content.length === 0 && page > 1 ? find({ search, page: page - 1 }) : { ...found, search, page }
}

function People({ data }: LoadedProps<Found & Query>): VNode {
  const [found, setFound] = useState(data)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  /** A person, or `new`. */
  const [edited, setEdited] = useState<Person | 'new' | null>(null)
  const [isRemoving, setRemoving] = useState(false)
  const query = useRef<Query>(data)
  const { trouble, load } = useLatest()
  const pages = Math.max(1, Math.ceil(found.total / SIZE))
  const isFound = (id: string, { content }: Found) => content.some((person) => person.id === id)

  function show(next: Query): void {
    query.current = next
    void load(
      () => find(next),
      (answer) => {
        query.current = answer
        setFound(answer)
        setChosen((before) => new Set([...before].filter((id) => isFound(id, answer))))
      },
    )
  }
  const refresh = () => show(query.current)
  const turn = (by: number) => show({ ...query.current, page: query.current.page + by })

  return html`
    <${Note}>${say('peopleHint')}<//>
    <div class="tools">
      <${SearchField} onSearch=${(search: string) => show({ search, page: 1 })} />
      <span class="spring"></span>
      <${Button} look="danger" inactive=${chosen.size === 0} onPress=${() => setRemoving(true)}>${say('delete')}<//>
      <${Button} look="primary" onPress=${() => setEdited('new')}>${say('addPerson')}<//>
    </div>
    <${Trouble} words=${trouble} />
    <div class="table">
      ${
        found.content.length > 0
          ? html`<${PeopleTable} people=${found.content} chosen=${chosen} onChoose=${setChosen} onEdit=${setEdited} />`
          : html`<p class="empty">${say(found.search === '' ? 'noPeople' : 'nobodyFound')}</p>`
      }
    </div>
    <div class="pager">
      <span>${say('peopleCount', { count: number(found.total), room: number(found.room) })}</span>
      <span class="spring"></span>
      <${Button} inactive=${found.page <= 1} onPress=${() => turn(-1)}>${say('before')}<//>
      <span>${found.page} / ${pages}</span>
      <${Button} inactive=${found.page >= pages} onPress=${() => turn(1)}>${say('next')}<//>
    </div>
    ${edited && html`<${PersonDialog} person=${edited === 'new' ? null : edited} onClose=${() => setEdited(null)} onSaved=${refresh} />`}
    ${isRemoving && html`<${RemovalDialog} ids=${[...chosen]} onClose=${() => setRemoving(false)} onEnd=${refresh} />`}
  `
}

function SearchField({ onSearch }: { onSearch: (search: string) => void }): VNode {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const type = ({ currentTarget }: Event) => {
    const search = (currentTarget as HTMLInputElement).value
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onSearch(search), SEARCH_DELAY_MS)
  }
  return html`<input type="search" aria-label=${say('searchPeople')} placeholder=${say('searchPeople')} onInput=${type} />`
}

/** Ask for confirmation before the chosen people are deleted. @param onEnd called after the call, which may have deleted all or some */
function RemovalDialog({ ids, onClose, onEnd }: { ids: readonly string[]; onClose: () => void; onEnd: () => void }): VNode {
  const { isBusy, trouble, run } = useTask()
  const [removed] = useState(ids)
  const remove = async () => {
    announce(await callWords('POST', 'people/delete', { ids: removed }).finally(onEnd))
    onClose()
  }
  return html`
    <${Dialog} title=${say('delete')} onClose=${onClose}>
      <p>${say('deleteLost', { count: removed.length })}</p>
      <${Trouble} words=${trouble} />
      <div class="actions">
        <${Button} onPress=${onClose}>${say('cancel')}<//>
        <${Button} look="danger" inactive=${isBusy} onPress=${() => void run(remove)}>${say('delete')}<//>
      </div>
    <//>
  `
}

export const PeoplePage = loadedPage(() => find({ search: '', page: 1 }), People)
