/** Whether the page is being printed, for what a style sheet cannot change: the theme, a table's fixed header, the size of a chart. */
import { flushSync } from 'react-dom'
import { create } from 'zustand'

const printing = create<{ printing: boolean }>(() => ({ printing: false }))
export const usePrinting = (): boolean => printing((state) => state.printing)

/** Set the state and render at once: the browser lays out the pages right after its event. */
const set = (is: boolean): void => flushSync(() => printing.setState({ printing: is }))
const begin = (): void => set(true)
const end = (): void => set(false)

/** Follow the browser's printing. @returns a function that stops it */
export function followPrinting(): () => void {
  window.addEventListener('beforeprint', begin)
  window.addEventListener('afterprint', end)
  return () => {
    window.removeEventListener('beforeprint', begin)
    window.removeEventListener('afterprint', end)
  }
}
