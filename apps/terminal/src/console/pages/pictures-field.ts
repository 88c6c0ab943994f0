/** A field for up to three pictures of a face, each checked as soon as it is added. */
import type { VNode } from 'preact'
import { useId, useRef, useState } from 'preact/hooks'
import { call, wordsOf } from './api.ts'
import { useCamera } from './camera.ts'
import { Button } from './kit/button.ts'
import { FieldRow, type FieldProps } from './kit/field.ts'
import { FileButton } from './kit/file-button.ts'
import { useFormOfField } from './kit/form.ts'
import { html } from './kit/html.ts'
import { say } from './words.ts'

const PICTURES = 3

/** The value of the field is the list of the pictures' ids. */
export function PicturesField({ name, label, hint }: FieldProps): VNode {
  const { values, issues, edit } = useFormOfField()
  const ids = values[name] as readonly string[]
  /** A check may end after other pictures were added or removed. */
  const latest = useRef(ids)
  latest.current = ids
  const id = useId()
  const camera = useCamera()
  const button = useRef<HTMLButtonElement>(null)
  const [isJudging, setJudging] = useState(false)
  const [refusal, setRefusal] = useState('')
  const isFull = ids.length >= PICTURES

  /** Add a picture. @returns whether it was accepted */
  async function add(picture: Blob): Promise<boolean> {
    setRefusal('')
    setJudging(true)
    try {
      const added = await call<{ id: string }>('POST', 'pictures', picture)
      edit(name, [...latest.current, added.id])
      return true
    } catch (error) {
      setRefusal(wordsOf(error))
      return false
    } finally {
      setJudging(false)
    }
  }

  /** After the first picture a second is requested at once, because two make recognition more reliable. */
  async function take(picture: Blob): Promise<void> {
    const isFirst = latest.current.length === 0
    if ((await add(picture)) && isFirst) await camera.take((second) => void add(second), { isSecond: true })
  }

  function remove(removed: string): void {
    edit(
      name,
      ids.filter((other) => other !== removed),
    )
    button.current!.focus()
  }

  return html`
    <${FieldRow} isGroup id=${id} label=${label} hint=${hint} hintIcon="people" issue=${refusal || issues[name]} isAlert>
      <ul class="pictures" hidden=${ids.length === 0 && !isJudging}>
        ${ids.map((picture, at) => html`<${Picture} key=${picture} id=${picture} number=${at + 1} onRemove=${() => remove(picture)} />`)}
        ${isJudging && html`<li class="waiting"><span class="spinner" role="img" aria-label=${say('looking')}></span></li>`}
      </ul>
      <div class="choose">
        <${FileButton}
          id="picture-file"
          accept="image/jpeg,image/png,image/webp"
          inactive=${isJudging || isFull}
          isInvalid=${issues[name] !== undefined}
          buttonRef=${button}
          onFiles=${([file]: File[]) => file && void add(file)}
        />
        <${Button} inactive=${isJudging || isFull} onPress=${() => void camera.take((picture) => void take(picture))}>${say('camera')}<//>
      </div>
      ${camera.dialog}
    <//>
  `
}

const Picture = ({ id, number, onRemove }: { id: string; number: number; onRemove: () => void }): VNode =>
  html`<li>
    <img src="/console/api/pictures/${id}" alt=${say('pictureNumber', { number })} />
    <${Button} label=${say('removePicture', { number })} onPress=${onRemove}>×<//>
  </li>`
