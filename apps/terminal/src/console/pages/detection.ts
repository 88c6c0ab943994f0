/** Detection: tries the camera, the engine and the readers. */
import { call } from './api.ts'
import { takePicture } from './camera.ts'
import { button, card, facts, h, note, troublePlace, work } from './dom.ts'
import { engineInWords, number, say } from './words.ts'

interface Told {
  engine: { name: string; modelId: string; state: string; tellsLiving: boolean }
  temperature: boolean
  wiegand: boolean
}

interface Seen {
  faces: number
  milliseconds: number
  face: { sharpness: number; brightness: number; lowerFace: number; certainty: number; liveness: number | null; width: number } | null
  nearest: { name: string; score: number } | null
}

export async function showDetection(page: HTMLElement): Promise<void> {
  const { engine, temperature, wiegand } = await call<Told>('GET', 'detection')
  page.append(
    faceCard(engine),
    readerCard(say('temperature'), temperature, 'detection/temperature', ({ celsius }: { celsius: number }) => `${number(celsius, 1)} °C`),
    readerCard(say('wiegand'), wiegand, 'detection/wiegand', ({ card: cardNumber }: { card: string }) => cardNumber),
  )
}

function faceCard(engine: Told['engine']): HTMLElement {
  const trouble = troublePlace()
  const result = h('div', { role: 'status' })
  const picture = h('img', { class: 'tried', alt: '', hidden: true })
  const file = h('input', {
    type: 'file',
    accept: 'image/jpeg,image/png,image/webp',
    hidden: true,
    id: 'test-picture',
    'aria-label': say('chooseFile'),
  })
  const choose = button(say('chooseFile'), () => file.click())
  const take = button(say('camera'), () => void takePicture((taken) => void work(take, trouble, () => look(taken))))
  file.addEventListener('change', () => {
    const chosen = file.files?.[0]
    file.value = ''
    if (chosen) void work(choose, trouble, () => look(chosen))
  })

  async function look(shown: Blob): Promise<void> {
    result.replaceChildren()
    if (picture.src) URL.revokeObjectURL(picture.src)
    picture.src = URL.createObjectURL(shown)
    picture.hidden = false
    const { faces, milliseconds, face, nearest } = await call<Seen>('POST', 'detection/face', shown)
    result.replaceChildren(
      facts([
        [say('facesFound'), number(faces)],
        [say('took'), say('milliseconds', { count: number(milliseconds) })],
        ...(face
          ? ([
              [say('certainty'), percent(face.certainty)],
              [say('faceWidth'), say('pixels', { count: number(face.width) })],
              [say('brightness'), number(face.brightness)],
              [say('sharpness'), number(face.sharpness, 1)],
              [say('liveness'), face.liveness === null ? say('cannotTell') : percent(face.liveness)],
            ] as [string, string][])
          : []),
        ...(nearest ? ([[say('nearest'), `${nearest.name} (${number(nearest.score, 1)})`]] as [string, string][]) : []),
      ]),
    )
  }

  return card(
    say('faceEngine'),
    facts([
      [say('engine'), engineInWords(engine)],
      [say('state'), say(`engine.${engine.state}`)],
      [say('liveness'), say(engine.tellsLiving ? 'canTell' : 'cannotTell')],
    ]),
    note(say('detectionHint')),
    h('div', { class: 'actions left' }, choose, take, file),
    trouble,
    picture,
    result,
  )
}

const percent = (part: number) => `${number(part * 100, 1)} %`

function readerCard<Data>(title: string, isThere: boolean, path: string, inWords: (data: Data) => string): HTMLElement {
  if (!isThere) return card(title, note(say('why.noSuchReader')))
  const trouble = troublePlace()
  const result = h('p', { class: 'measured', role: 'status' })
  const test = button(
    say('test'),
    () =>
      void work(test, trouble, async () => {
        result.textContent = ''
        result.textContent = inWords(await call<Data>('POST', path))
      }),
  )
  return card(title, h('div', { class: 'actions left' }, test), trouble, result)
}
