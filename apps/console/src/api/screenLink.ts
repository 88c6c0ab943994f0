/** The link that a data screen was opened with. It belongs to this tab alone and never affects the session of the browser. */
import { create } from 'zustand'

/** Key in `sessionStorage`, so that the link survives a reload of the page and other tabs do not have it. */
const KEY = 'screenLink'

/** Whether the link that was opened in this tab has been refused. */
export const useScreenLink = create<{ refused: boolean }>(() => ({ refused: false }))

export const screenLink = {
  /** Return the token of the link; undefined where this tab uses the session of the browser. */
  token: (): string | undefined => sessionStorage.getItem(KEY) ?? undefined,
  open(token: string): void {
    sessionStorage.setItem(KEY, token)
    useScreenLink.setState({ refused: false })
  },
  /** Drop a link that is invalid or no longer works. */
  refuse(): void {
    sessionStorage.removeItem(KEY)
    useScreenLink.setState({ refused: true })
  },
  /** Drop the link. @returns whether there was one, refused or not */
  leave(): boolean {
    const isOpen = screenLink.token() !== undefined || useScreenLink.getState().refused
    sessionStorage.removeItem(KEY)
    useScreenLink.setState({ refused: false })
    return isOpen
  },
}
