/** Export and import of people and records, and deletion of them. */
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { call, callWords, download, upload } from './api.ts'
import { Card, Facts, Note, Progress } from './kit/card.ts'
import { ConfirmedButton } from './kit/confirmed-button.ts'
import { Field, FileField } from './kit/field.ts'
import { Form, useForm } from './kit/form.ts'
import { html } from './kit/html.ts'
import { loadedPage, type LoadedProps } from './kit/loaded-page.ts'
import { announce } from './kit/notice.ts'
import { Outcomes } from './kit/outcomes.ts'
import { codeInWords, number, say } from './words.ts'

interface Stored {
  people: number
  records: number
  /** How many records fit. */
  most: number
}

interface Imported {
  kind: 'people' | 'records'
  taken: number
  /** How many were already stored here. */
  here?: number
  refused?: { name: string; workNumber: string; code: number }[]
}

function RecordsCards({ data: { people, records, most }, reload }: LoadedProps<Stored>): VNode {
  const clear = async (password: string) => {
    announce(await callWords('POST', 'transfer/clear', { password }))
    void reload()
  }
  return html`
    <${Card} title=${say('heldHere')}>
      <${Facts}
        facts=${[
          [say('personsHere'), number(people)],
          [say('recordsHere'), number(records)],
          [say('mostRecords'), number(most)],
        ]}
      />
    <//>
    <${Card} title=${say('export')}>
      <${Note}>${say('exportHint')}<//>
      <${ExportForm} />
    <//>
    <${Card} title=${say('import')}>
      <${Note}>${say('importHint')}<//>
      <${ImportForm} onImported=${() => void reload()} />
    <//>
    <${Card} title=${say('clear')}>
      <${Note}>${say('clearHint')}<//>
      <${ConfirmedButton} look="danger" words=${say('clear')} warning=${say('clearLost')} onConfirm=${clear} />
    <//>
  `
}

function ExportForm(): VNode {
  const form = useForm({ what: 'people', password: '' })
  const save = async () => {
    await download('transfer/export', form.values, `gatehouse-${form.values.what}.ghx`)
    announce(say('exported'))
  }
  const choices = [
    ['people', say('whatPeople')],
    ['records', say('whatRecords')],
  ]
  return html`
    <${Form} form=${form} submitWords=${say('export')} onSubmit=${save}>
      <${Field} name="what" label=${say('what')} choices=${choices} />
      <${Field} name="password" label=${say('filePassword')} hint=${say('filePasswordHint')} type="password" autocomplete="new-password" />
    <//>
  `
}

function ImportForm({ onImported }: { onImported: () => void }): VNode {
  const form = useForm({ password: '' })
  const [files, setFiles] = useState<readonly File[]>([])
  /** Part of the file that has been sent. */
  const [part, setPart] = useState<number | null>(null)
  const [imported, setImported] = useState<Imported | null>(null)
  const take = async () => {
    setImported(null)
    const [file] = files
    const id = file && file.size > 0 ? await upload(file, setPart).finally(() => setPart(null)) : ''
    setImported(await call<Imported>('POST', 'transfer/import', { upload: id, password: form.values.password }))
    onImported()
  }
  return html`
    <${Form} form=${form} submitWords=${say('import')} onSubmit=${take}>
      <${FileField} name="upload" label=${say('file')} accept=".ghx" files=${files} onFiles=${setFiles} />
      <${Field} name="password" label=${say('filePassword')} type="password" />
      ${part !== null && html`<${Progress} part=${part} label=${say('progress')} />`}
    <//>
    <div role="status">${imported && html`<${ImportOutcome} imported=${imported} />`}</div>
  `
}

function ImportOutcome({ imported: { kind, taken, here = 0, refused = [] } }: { imported: Imported }): VNode {
  const words =
    kind === 'records'
      ? say('recordsTaken', { count: number(taken), here: number(here) })
      : say('peopleTaken', { count: number(taken), refused: number(refused.length) })
  const outcomes = refused.map(({ name, workNumber, code }) => ({
    name: `${name} (${workNumber})`,
    words: codeInWords(code),
    isFailure: true,
  }))
  return html`<p>${words}</p>
    <${Outcomes} outcomes=${outcomes} />`
}

export const RecordsPage = loadedPage(() => call<Stored>('GET', 'transfer'), RecordsCards)
