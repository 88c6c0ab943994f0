/** Bulk registration: many pictures, one after the other, each with its own outcome. */
import { call, Refused } from './api.ts'
import { button, card, fileChoice, h, note, troublePlace, wordsOf, work } from './dom.ts'
import { number, say } from './words.ts'

/** Fewer than these at once. */
const LIMIT = 1000

export async function showBulk(page: HTMLElement): Promise<() => void> {
  let files: File[] = []
  let stopped = true
  const trouble = troublePlace()
  const file = h('input', { type: 'file', accept: '.jpg,.jpeg,image/jpeg', multiple: true, id: 'bulk-files', onchange: () => choose() })
  const start = button(say('start'), () => void work(start, trouble, run), { class: 'primary', disabled: true })
  const cancel = button(say('cancel'), () => (stopped = true), { hidden: true })
  const progress = h('progress', { max: 1, value: 0, 'aria-label': say('progress'), hidden: true })
  const summary = h('p', { class: 'summary', role: 'status' })
  const outcomes = h('ol', { class: 'outcomes' })

  page.append(
    card(
      say('bulkTitle'),
      note(say('bulkHint', { limit: number(LIMIT) })),
      h('label', { for: 'bulk-files' }, say('choosePictures')),
      fileChoice(file),
      trouble,
      h('div', { class: 'actions left' }, start, cancel),
      progress,
      summary,
      outcomes,
    ),
  )
  return () => {
    stopped = true
  }

  function choose(): void {
    files = [...(file.files ?? [])]
    const tooMany = files.length >= LIMIT
    trouble.textContent = tooMany ? say('tooManyPictures', { limit: number(LIMIT), count: number(files.length) }) : ''
    summary.textContent = tooMany || files.length === 0 ? '' : say('chosenPictures', { count: number(files.length) })
    start.disabled = tooMany || files.length === 0
    outcomes.replaceChildren()
  }

  async function run(): Promise<void> {
    const { batch } = await call<{ batch: string }>('POST', 'bulk', { count: files.length })
    stopped = false
    cancel.hidden = progress.hidden = false
    file.disabled = true
    outcomes.replaceChildren()
    let [done, registered] = [0, 0]
    for (const one of files) {
      if (stopped) break
      const outcome = await register(batch, one)
      done++
      if (outcome === null) registered++
      outcomes.append(
        h(
          'li',
          { class: outcome === null ? 'done' : 'failed' },
          h('span', { class: 'file' }, one.name),
          h('span', {}, outcome ?? say('registered')),
        ),
      )
      progress.value = done / files.length
      summary.textContent = say('bulkProgress', {
        done: number(done),
        total: number(files.length),
        registered: number(registered),
        failed: number(done - registered),
      })
    }
    if (done < files.length) summary.append(` ${say('bulkCancelled')}`)
    cancel.hidden = true
    file.disabled = false
    stopped = true
    await call('POST', `bulk/${batch}/end`)
  }
}

/** @returns null when the person was registered, else why not */
async function register(batch: string, file: File): Promise<string | null> {
  try {
    await call('POST', `bulk/${batch}?name=${encodeURIComponent(file.name)}`, file)
    return null
  } catch (error) {
    if (!(error instanceof Refused)) return wordsOf(error)
    const [field] = Object.values(error.fields)
    return field ? `${error.message} ${field}` : error.message
  }
}
