/** Export and import of people and records, and clearing. */
import { call, callWords, download, upload } from './api.ts'
import { askPassword, button, card, facts, field, form, h, note, tell } from './dom.ts'
import { codeInWords, number, say } from './words.ts'

interface Told {
  people: number
  records: number
  most: number
  exporting: boolean
}

interface Taken {
  kind: 'people' | 'records'
  taken: number
  here?: number
  refused?: { name: string; workNumber: string; code: number }[]
}

export async function showRecords(page: HTMLElement): Promise<void> {
  const holds = card(say('heldHere'))
  await count(holds)
  page.append(
    holds,
    exportCard(),
    importCard(() => void count(holds)),
    clearCard(() => void count(holds)),
  )
}

async function count(holds: HTMLElement): Promise<void> {
  const { people, records, most } = await call<Told>('GET', 'transfer')
  holds.replaceChildren(
    h('h2', {}, say('heldHere')),
    facts([
      [say('personsHere'), number(people)],
      [say('recordsHere'), number(records)],
      [say('mostRecords'), number(most)],
    ]),
  )
}

function exportCard(): HTMLElement {
  const what = field({
    name: 'what',
    label: say('what'),
    choices: [
      ['people', say('whatPeople')],
      ['records', say('whatRecords')],
    ],
  })
  const password = field({
    name: 'password',
    label: say('filePassword'),
    type: 'password',
    hint: say('filePasswordHint'),
    autocomplete: 'new-password',
  })
  return card(
    say('export'),
    note(say('exportHint')),
    form([what, password], say('export'), async () => {
      await download('transfer/export', { what: what.input.value, password: password.input.value }, `gatehouse-${what.input.value}.ghx`)
      tell(say('exported'))
    }),
  )
}

function importCard(onTaken: () => void): HTMLElement {
  const file = field({ name: 'upload', label: say('file'), type: 'file' })
  file.input.setAttribute('accept', '.ghx')
  const password = field({ name: 'password', label: say('filePassword'), type: 'password' })
  const result = h('div', { role: 'status' })
  const own = form([file, password], say('import'), async () => {
    result.replaceChildren()
    const chosen = (file.input as HTMLInputElement).files?.[0]
    const id = chosen && chosen.size > 0 ? await upload(chosen, () => {}) : ''
    const taken = await call<Taken>('POST', 'transfer/import', { upload: id, password: password.input.value })
    result.replaceChildren(h('p', {}, inWords(taken)), refusedList(taken))
    onTaken()
  })
  return card(say('import'), note(say('importHint')), own, result)
}

function inWords({ kind, taken, here = 0, refused = [] }: Taken): string {
  if (kind === 'records') return say('recordsTaken', { count: number(taken), here: number(here) })
  return say('peopleTaken', { count: number(taken), refused: number(refused.length) })
}

function refusedList({ refused = [] }: Taken): HTMLElement {
  return h(
    'ol',
    { class: 'outcomes' },
    ...refused.map(({ name, workNumber, code }) =>
      h('li', { class: 'failed' }, h('span', { class: 'file' }, `${name} (${workNumber})`), h('span', {}, codeInWords(code))),
    ),
  )
}

function clearCard(onCleared: () => void): HTMLElement {
  const clear = async (password: string) => {
    tell(await callWords('POST', 'transfer/clear', { password }))
    onCleared()
  }
  return card(
    say('clear'),
    note(say('clearHint')),
    button(say('clear'), () => askPassword(say('clear'), say('clearLost'), say('clear'), clear), { class: 'danger' }),
  )
}
