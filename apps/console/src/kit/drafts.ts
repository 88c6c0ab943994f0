/** What was typed but not saved: survives the end of a session for the same person, until saved, discarded or logged out. */
import { storage } from './storage.ts'

const keyOf = (name: string): string => `draft:${storage.get('profile')?.id ?? ''}:${name}`

export const drafts = {
  read(name: string): Record<string, unknown> | undefined {
    const text = sessionStorage.getItem(keyOf(name))
    return text === null ? undefined : (JSON.parse(text) as Record<string, unknown>)
  },
  write: (name: string, values: object): void => sessionStorage.setItem(keyOf(name), JSON.stringify(values)),
  drop: (name: string): void => sessionStorage.removeItem(keyOf(name)),
  /** What somebody else typed in this tab is not theirs to find again: another person sits here now. */
  dropOthers(): void {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith('draft:') && !key.startsWith(keyOf(''))) sessionStorage.removeItem(key)
  },
}
