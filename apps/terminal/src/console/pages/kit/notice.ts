/** A notice of what was done, which disappears by itself. */
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { html } from './html.ts'

const SHOWN_MS = 4_000

let show: (words: string) => void = () => {}

/** Show a notice, whichever page is open. */
export const announce = (words: string): void => show(words)

/** The place of the notice; all pages share one. */
export function Notice(): VNode {
  const [notice, setNotice] = useState({ words: '', isShown: false })
  useEffect(() => {
    show = (words) => setNotice({ words, isShown: true })
  }, [])
  useEffect(() => {
    if (!notice.isShown) return
    const timer = setTimeout(() => setNotice({ ...notice, isShown: false }), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [notice])
  return html`<div id="said" role="status" class=${notice.isShown ? 'shown' : ''}>${notice.words}</div>`
}
