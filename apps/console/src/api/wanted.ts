/** Where the person was, or wanted to go, when login stood in between: kept for this tab, and for nobody else. */
import { storage } from './storage.ts'

const KEY = 'wantedAddress'
interface Wanted {
  address: string
  /** Whoever was logged in then; absent: nobody was. */
  by?: string | undefined
}

export const wanted = {
  /** @param by whose address it is; absent: of whoever is logged in */
  remember(address: string, by = storage.get('profile')?.id): void {
    sessionStorage.setItem(KEY, JSON.stringify({ address, by } satisfies Wanted))
  },
  /** The address, once, for whoever has logged in now. */
  take(): string | null {
    const text = sessionStorage.getItem(KEY)
    sessionStorage.removeItem(KEY)
    if (text === null) return null
    const { address, by } = JSON.parse(text) as Wanted
    return by === undefined || by === storage.get('profile')?.id ? address : null
  },
}
