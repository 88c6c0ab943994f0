/** Copies a text to the clipboard, on plain http too, where browsers have no `navigator.clipboard`. */

/**
 * Copy a text.
 * @param shown element that shows the text: the older way copies a selection
 * @returns whether it worked; otherwise the text is left selected, to be copied by hand
 */
export async function copyText(text: string, shown: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copySelection(text, shown)
  }
}

function copySelection(text: string, shown: HTMLElement): boolean {
  const put = (event: ClipboardEvent): void => {
    event.preventDefault()
    event.clipboardData?.setData('text/plain', text)
  }
  window.getSelection()?.selectAllChildren(shown)
  document.addEventListener('copy', put, { once: true })
  try {
    return document.execCommand('copy')
  } finally {
    document.removeEventListener('copy', put)
  }
}
