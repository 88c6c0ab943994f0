/** What was typed but not saved: survives the end of a session for the same person, until saved, discarded or logged out. */
import { unkeptFieldsOf } from '@gatehouse/contract/unkept'
import type { AnyCall } from '../../api/http.ts'
import { storage } from '../../api/storage.ts'

const keyOf = (name: string): string => `draft:${storage.get('profile')?.id ?? ''}:${name}`

export const drafts = {
  read(name: string): Record<string, unknown> | undefined {
    const text = sessionStorage.getItem(keyOf(name))
    return text === null ? undefined : (JSON.parse(text) as Record<string, unknown>)
  },
  /**
   * Keeps what was typed, without what the call marks as a secret or as the number of an identity document, nor the
   * fields the form names.
   */
  write(name: string, values: object, { call, unkept }: { call: AnyCall; unkept: readonly string[] }): void {
    const left = new Set([...unkept, ...unkeptFieldsOf(call.body)])
    sessionStorage.setItem(keyOf(name), JSON.stringify(Object.fromEntries(Object.entries(values).filter(([field]) => !left.has(field)))))
  },
  drop: (name: string): void => sessionStorage.removeItem(keyOf(name)),
  /** What somebody else typed in this tab is not theirs to find again: another person sits here now. */
  dropOthers(): void {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith('draft:') && !key.startsWith(keyOf(''))) sessionStorage.removeItem(key)
  },
}
