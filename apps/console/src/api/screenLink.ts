/** The link a data screen was opened by: of this tab alone, beside the session the browser may have, which it never touches. */
import { create } from 'zustand'

/** In `sessionStorage`: a wall that loads its page afresh still has it, another tab does not. */
const KEY = 'screenLink'

/** Whether the link that was opened here opens nothing. */
export const useScreenLink = create<{ refused: boolean }>(() => ({ refused: false }))

export const screenLink = {
  /** Undefined where this tab shows what the browser's own session shows. */
  token: (): string | undefined => sessionStorage.getItem(KEY) ?? undefined,
  open(token: string): void {
    sessionStorage.setItem(KEY, token)
    useScreenLink.setState({ refused: false })
  },
  /** It is no link, or no longer works. */
  refuse(): void {
    sessionStorage.removeItem(KEY)
    useScreenLink.setState({ refused: true })
  },
  /** @returns whether there was one */
  leave(): boolean {
    const isOpen = screenLink.token() !== undefined || useScreenLink.getState().refused
    sessionStorage.removeItem(KEY)
    useScreenLink.setState({ refused: false })
    return isOpen
  },
}
