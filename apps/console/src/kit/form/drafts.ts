/** Input that was not saved: kept for the same user beyond the end of a session, until it is saved or discarded or the user logs out. */
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
   * Store what was typed, without fields that the call marks as a secret or as the number of an identity document, and without
   * the fields that the form names.
   */
  write(name: string, values: object, { call, unkept }: { call: AnyCall; unkept: readonly string[] }): void {
    const left = new Set([...unkept, ...unkeptFieldsOf(call.body)])
    sessionStorage.setItem(keyOf(name), JSON.stringify(Object.fromEntries(Object.entries(values).filter(([field]) => !left.has(field)))))
  },
  drop: (name: string): void => sessionStorage.removeItem(keyOf(name)),
  /** Delete the drafts of other users in this tab: another person uses it now. */
  dropOthers(): void {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith('draft:') && !key.startsWith(keyOf(''))) sessionStorage.removeItem(key)
  },
}
