/** The form of one person registered here. */
import { call, Refused } from './api.ts'
import { takePicture } from './camera.ts'
import { ask, button, field, form, h, icon, tell, wordsOf } from './dom.ts'
import { say } from './words.ts'

export interface Person {
  id: string
  name: string
  workNumber: string
  card: string
  hasPassword: boolean
  validFrom: number | null
  validTo: number | null
  faces: string[]
  recognisable: number
}

const PICTURES = 3

/** Opens the form. @param person null for somebody new */
export function askPerson(person: Person | null, onSaved: () => void): void {
  const name = field({ name: 'name', label: say('name'), value: person?.name ?? '', maxlength: 32, required: true })
  const workNumber = field({ name: 'workNumber', label: say('workNumber'), value: person?.workNumber ?? '', maxlength: 32, required: true })
  const card = field({ name: 'card', label: say('card'), value: person?.card ?? '', maxlength: 32 })
  const password = field({
    name: 'password',
    label: say('passPassword'),
    type: 'password',
    hint: say(person?.hasPassword ? 'passPasswordKept' : 'passPasswordHint'),
    maxlength: 10,
    autocomplete: 'new-password',
  })
  const validFrom = field({ name: 'validFrom', label: say('validFrom'), type: 'datetime-local', value: local(person?.validFrom ?? null) })
  const validTo = field({ name: 'validTo', label: say('validTo'), type: 'datetime-local', value: local(person?.validTo ?? null) })
  const pictures = picturesField(person?.faces ?? [])

  ask(
    say(person ? 'editPerson' : 'addPerson'),
    (close) => {
      const own = form([pictures.row, name, workNumber, card, password, validFrom, validTo], say('save'), async () => {
        const body = {
          name: name.input.value,
          workNumber: workNumber.input.value,
          card: card.input.value,
          ...((password.input.value !== '' || !person) && { password: password.input.value }),
          validFrom: instant(validFrom.input.value),
          validTo: instant(validTo.input.value),
          faces: pictures.ids(),
        }
        await (person ? call('PUT', `people/${person.id}`, body) : call('POST', 'people', body))
        close()
        tell(say('saved'))
        onSaved()
      })
      own.querySelector('.actions')!.prepend(button(say('cancel'), close))
      return [own]
    },
    true,
  )
  name.input.focus()
}

/** Up to three pictures, each judged as soon as it is there. */
function picturesField(faces: readonly string[]): { row: HTMLElement; ids(): string[] } {
  let ids = [...faces]
  const list = h('ul', { class: 'pictures' })
  const issue = h('p', { class: 'issue', role: 'alert' })
  const file = h('input', {
    type: 'file',
    accept: 'image/jpeg,image/png,image/webp',
    hidden: true,
    id: 'picture-file',
    'aria-label': say('chooseFile'),
  })
  const choose = button(say('chooseFile'), () => file.click())
  const take = button(say('camera'), () => void film())
  file.addEventListener('change', () => {
    const chosen = file.files?.[0]
    file.value = ''
    if (chosen) void add(chosen)
  })

  /** After the first one a second is asked for at once: with two, people are recognised more surely. */
  async function film(again = false): Promise<void> {
    await takePicture(
      (picture) =>
        void add(picture).then(() => {
          if (!again && ids.length === 1 && issue.textContent === '') void film(true)
        }),
      { again },
    )
  }

  async function add(picture: Blob): Promise<void> {
    issue.textContent = ''
    choose.disabled = take.disabled = true
    list.append(h('li', { class: 'waiting' }, h('span', { class: 'spinner', 'aria-label': say('looking') })))
    try {
      ids = [...ids, (await call<{ id: string }>('POST', 'pictures', picture)).id]
    } catch (error) {
      issue.textContent = error instanceof Refused ? error.message : wordsOf(error)
    }
    show()
  }

  function show(): void {
    list.replaceChildren(
      ...ids.map((id, at) => {
        const remove = () => {
          ids = ids.filter((other) => other !== id)
          show()
          choose.focus()
        }
        return h(
          'li',
          {},
          h('img', { src: `/console/api/pictures/${id}`, alt: say('pictureNumber', { number: at + 1 }) }),
          h('button', { type: 'button', 'aria-label': say('removePicture', { number: at + 1 }), onclick: remove }, '×'),
        )
      }),
    )
    list.hidden = ids.length === 0
    choose.disabled = take.disabled = ids.length >= PICTURES
  }

  show()
  const row = h(
    'div',
    { class: 'field', 'data-name': 'faces' },
    h('span', { class: 'label' }, say('pictures')),
    h(
      'div',
      { class: 'control' },
      list,
      h('div', { class: 'choose' }, choose, take, file),
      h('p', { class: 'hint' }, icon('people'), say('picturesHint')),
      issue,
    ),
  )
  return { row, ids: () => ids }
}

/** An instant as the field for date and time shows it, by this browser's clock. */
function local(moment: number | null): string {
  if (moment === null) return ''
  const shifted = new Date(moment - new Date(moment).getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

const instant = (value: string): number | null => (value === '' ? null : new Date(value).getTime())
