/** Pages that show what the terminal answers. */
import type { VNode } from 'preact'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { say } from '../words.ts'
import { Button } from './button.ts'
import { Note } from './card.ts'
import { html } from './html.ts'
import { useLatest } from './latest.ts'

export interface LoadedProps<Data> {
  data: Data
  /** Load again; typed text is kept. */
  reload: () => Promise<void>
}

/** Return a page from a function that loads its data when the page appears, and a component that shows the data. */
export function loadedPage<Data>(load: () => Promise<Data>, Content: (props: LoadedProps<Data>) => VNode): () => VNode {
  return function LoadedPage() {
    const [data, setData] = useState<Data | null>(null)
    const { isBusy, trouble, load: loadLatest } = useLatest()
    const reload = useCallback(() => loadLatest(load, setData), [loadLatest])
    useEffect(() => void reload(), [reload])
    return html`
      <main id="page" aria-busy=${isBusy || (data === null && trouble === '')}>
        ${
          trouble &&
          html`<${Note} isWarning>${trouble}<//>
            <div><${Button} onPress=${() => void reload()}>${say('again')}<//></div>`
        }
        ${data && html`<${Content} data=${data} reload=${reload} />`}
      </main>
    `
  }
}
