/** The address a user was at, or wanted to open, before they had to log in: stored for this tab and that user alone. */
import { storage } from './storage.ts'

const KEY = 'wantedAddress'
interface StoredAddress {
  address: string
  /** Id of the user who was logged in then; absent: no user was. */
  by?: string | undefined
}

export const returnAddress = {
  /** @param by id of the user the address belongs to; absent: the user who is logged in */
  remember(address: string, by = storage.get('profile')?.id): void {
    sessionStorage.setItem(KEY, JSON.stringify({ address, by } satisfies StoredAddress))
  },
  /** Return the address and delete it; null where there is none, or where it belongs to another user. */
  take(): string | null {
    const text = sessionStorage.getItem(KEY)
    sessionStorage.removeItem(KEY)
    if (text === null) return null
    const { address, by } = JSON.parse(text) as StoredAddress
    return by === undefined || by === storage.get('profile')?.id ? address : null
  },
}
