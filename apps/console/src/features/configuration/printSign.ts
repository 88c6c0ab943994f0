/** Printing of the sign for the door, large enough to be read while passing. */
import type { Language } from '@gatehouse/contract'

/** The sign in one language. */
export interface SignPart {
  language: Language
  heading: string
  lines: readonly string[]
}

/** Print a sign, and nothing else of the page. */
export function printSign(title: string, parts: readonly SignPart[]): void {
  const frame = document.createElement('iframe')
  frame.style.cssText = 'position:fixed;right:0;bottom:0;width:0;height:0;border:0'
  document.body.append(frame)
  const page = frame.contentDocument!
  page.title = title
  page.body.style.cssText = 'font-family:sans-serif;line-height:1.45;margin:12mm'
  for (const { language, heading, lines } of parts) {
    const part = page.createElement('section')
    part.lang = language
    part.style.cssText = 'break-inside:avoid;margin-bottom:12mm'
    const head = page.createElement('h1')
    head.textContent = heading
    head.style.fontSize = parts.length > 1 ? '24pt' : '36pt'
    part.append(head)
    for (const line of lines) {
      const paragraph = page.createElement('p')
      paragraph.textContent = line
      paragraph.style.fontSize = parts.length > 1 ? '14pt' : '20pt'
      part.append(paragraph)
    }
    page.body.append(part)
  }
  frame.contentWindow!.addEventListener('afterprint', () => frame.remove())
  frame.contentWindow!.print()
}
