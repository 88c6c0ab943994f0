/** Where the person was, or wanted to go, when login stood in between: kept for this tab, and for nobody else. */
import { storage } from './storage.ts'

const KEY = 'wantedAddress'
interface StoredAddress {
  address: string
  /** Id of the user who was logged in then; absent: nobody was. */
  by?: string | undefined
}

export const returnAddress = {
  /** @param by id of the user whose address it is; absent: of the one who is logged in */
  remember(address: string, by = storage.get('profile')?.id): void {
    sessionStorage.setItem(KEY, JSON.stringify({ address, by } satisfies StoredAddress))
  },
  /** Return the address, once, to the user it belongs to. */
  take(): string | null {
    const text = sessionStorage.getItem(KEY)
    sessionStorage.removeItem(KEY)
    if (text === null) return null
    const { address, by } = JSON.parse(text) as StoredAddress
    return by === undefined || by === storage.get('profile')?.id ? address : null
  },
}
