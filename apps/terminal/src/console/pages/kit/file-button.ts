/** Choice of files. The browser's own field uses the browser's language, not that of the pages. */
import { Fragment, type RefObject, type VNode } from 'preact'
import { useRef } from 'preact/hooks'
import { say } from '../words.ts'
import { Button } from './button.ts'
import { html } from './html.ts'

interface FileButtonProps {
  id: string
  /** Types of files, as in the `accept` attribute of an input. */
  accept: string
  multiple?: boolean
  /** Whether there is a label for its id. */
  isLabelled?: boolean
  onFiles: (files: File[]) => void
  inactive?: boolean
  look?: string
  isInvalid?: boolean
  buttonRef?: RefObject<HTMLButtonElement>
}

/** A button that opens the choice of files. The same file may be chosen again. */
export function FileButton({ id, accept, multiple = false, isLabelled = false, onFiles, ...button }: FileButtonProps): VNode {
  const input = useRef<HTMLInputElement>(null)
  const choose = () => {
    const files = [...(input.current!.files ?? [])]
    input.current!.value = ''
    if (files.length > 0) onFiles(files)
  }
  return html`
    <${Fragment}>
      <${Button} ...${button} onPress=${() => input.current!.click()}>${say('chooseFile')}<//>
      <input
        ref=${input}
        id=${id}
        type="file"
        accept=${accept}
        multiple=${multiple}
        aria-label=${isLabelled ? undefined : say('chooseFile')}
        disabled=${button.inactive}
        hidden
        onChange=${choose}
      />
    <//>
  `
}

interface FileChoiceProps extends FileButtonProps {
  files: readonly File[]
}

/** The button beside the names of the chosen files. */
export function FileChoice({ files, ...button }: FileChoiceProps): VNode {
  const chosen = files.length > 1 ? say('filesChosen', { count: files.length }) : files[0]?.name
  return html`<div class="file"><${FileButton} ...${button} isLabelled /><span>${chosen}</span></div>`
}
