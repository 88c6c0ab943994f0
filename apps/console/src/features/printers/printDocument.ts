/** Opens the print dialog of the browser for a PDF. */

/** Milliseconds after which every browser has read the file; the dialog itself may stay open for longer. */
const TAKEN_AFTER = 5 * 60_000

export function printDocument(pdf: Blob): void {
  const address = URL.createObjectURL(pdf)
  const frame = document.createElement('iframe')
  frame.title = 'PDF'
  // A frame that is not displayed cannot be printed.
  frame.style.cssText = 'position:fixed;right:0;bottom:0;width:0;height:0;border:0'
  frame.addEventListener('load', () => frame.contentWindow?.print())
  frame.src = address
  document.body.append(frame)
  setTimeout(() => {
    frame.remove()
    URL.revokeObjectURL(address)
  }, TAKEN_AFTER)
}
