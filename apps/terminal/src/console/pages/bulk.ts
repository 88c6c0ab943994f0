/** Bulk registration: many pictures, one after the other, each with its own outcome. */
import type { VNode } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { call, Refused, wordsOf } from './api.ts'
import { Button } from './kit/button.ts'
import { Card, Note, Progress } from './kit/card.ts'
import { FileChoice } from './kit/file-button.ts'
import { html } from './kit/html.ts'
import { Outcomes } from './kit/outcomes.ts'
import { Trouble, useTask } from './kit/task.ts'
import { number, say } from './words.ts'

/** The largest number of pictures at once, exclusive. */
const LIMIT = 1000

interface Registration {
  total: number
  /** Outcome of each picture: the reason it was refused, or null if the person was registered. */
  outcomes: readonly { name: string; refusal: string | null }[]
  isRunning: boolean
}

export function BulkPage(): VNode {
  const [files, setFiles] = useState<readonly File[]>([])
  const [registration, setRegistration] = useState<Registration | null>(null)
  const isStopped = useRef(true)
  const { isBusy, trouble, run, refuse } = useTask()
  useEffect(() => stop, [])

  function stop(): void {
    isStopped.current = true
  }

  function choose(chosen: readonly File[]): void {
    setFiles(chosen)
    setRegistration(null)
    refuse(chosen.length < LIMIT ? '' : say('tooManyPictures', { limit: number(LIMIT), count: number(chosen.length) }))
  }

  async function register(): Promise<void> {
    const { batch } = await call<{ batch: string }>('POST', 'bulk', { count: files.length })
    isStopped.current = false
    const outcomes: { name: string; refusal: string | null }[] = []
    const show = (isRunning: boolean) => setRegistration({ total: files.length, outcomes: [...outcomes], isRunning })
    show(true)
    for (const file of files) {
      if (isStopped.current) break
      outcomes.push({ name: file.name, refusal: await registered(batch, file) })
      show(true)
    }
    show(false)
    isStopped.current = true
    await call('POST', `bulk/${batch}/end`)
  }

  const isReady = files.length > 0 && files.length < LIMIT
  return html`
    <main id="page" aria-busy="false">
      <${Card} title=${say('bulkTitle')}>
        <${Note}>${say('bulkHint', { limit: number(LIMIT) })}<//>
        <label for="bulk-files">${say('choosePictures')}</label>
        <${FileChoice}
          id="bulk-files"
          accept=".jpg,.jpeg,image/jpeg"
          multiple
          files=${files}
          onFiles=${choose}
          inactive=${registration?.isRunning}
        />
        <${Trouble} words=${trouble} />
        <div class="actions">
          <${Button} look="primary" inactive=${isBusy || !isReady} onPress=${() => void run(register)}>${say('start')}<//>
          ${registration?.isRunning && html`<${Button} onPress=${stop}>${say('cancel')}<//>`}
        </div>
        ${registration && html`<${Progress} part=${registration.outcomes.length / registration.total} label=${say('progress')} />`}
        <p role="status">${registration ? progressOf(registration) : isReady && say('chosenPictures', { count: number(files.length) })}</p>
        ${
          registration &&
          html`<${Outcomes}
            outcomes=${registration.outcomes.map(({ name, refusal }) => ({
              name,
              words: refusal ?? say('registered'),
              isFailure: refusal !== null,
            }))}
          />`
        }
      <//>
    </main>
  `
}

/** Register the person of a picture. @returns null if the person was registered, otherwise why not */
async function registered(batch: string, file: File): Promise<string | null> {
  try {
    await call('POST', `bulk/${batch}?name=${encodeURIComponent(file.name)}`, file)
    return null
  } catch (error) {
    if (!(error instanceof Refused)) return wordsOf(error)
    const [field] = Object.values(error.fields)
    return field ? `${error.message} ${field}` : error.message
  }
}

function progressOf({ total, outcomes, isRunning }: Registration): string {
  const failed = outcomes.filter(({ refusal }) => refusal !== null).length
  const words = say('bulkProgress', {
    done: number(outcomes.length),
    total: number(total),
    registered: number(outcomes.length - failed),
    failed: number(failed),
  })
  return !isRunning && outcomes.length < total ? `${words} ${say('bulkCancelled')}` : words
}
