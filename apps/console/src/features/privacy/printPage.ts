/** Prints a page that is whole in itself, and nothing else of this one. */
export function printPage(html: string): void {
  const frame = document.createElement('iframe')
  frame.style.cssText = 'position:fixed;right:0;bottom:0;width:0;height:0;border:0'
  document.body.append(frame)
  const received = new DOMParser().parseFromString(html, 'text/html')
  const page = frame.contentDocument!
  page.replaceChild(page.importNode(received.documentElement, true), page.documentElement)
  frame.contentWindow!.addEventListener('afterprint', () => frame.remove())
  frame.contentWindow!.print()
}
