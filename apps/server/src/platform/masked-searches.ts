/**
 * Searches by personal fields of users for whom these are masked. They find whole values only; whoever tries many of them that nobody has
 * is held up, so that a masked phone number or card cannot be found out by trying what its asterisks stand for.
 */
import type { Call } from '@gatehouse/contract'
import { searchedFieldsOf } from '@gatehouse/contract/masking'
import type { Clock } from './clock.ts'
import { TooManyTries } from './refusal.ts'
import type { Session } from './session.ts'

/** Different searches of a user that may find nothing within the window. */
export const MISSES_MAX = 60
const WINDOW_MS = 10 * 60_000

interface Parts {
  query?: unknown
  body?: unknown
}

export interface MaskedSearches {
  /**
   * Runs a call. A masked user's search by a personal field is counted before it is made, so that many at once are no way round, and no
   * longer once it found somebody. Each node of the server counts for itself.
   * @returns what the call answers, and whether it was such a search
   * @throws TooManyTries
   */
  during(call: Call, session: Session | null, parts: Parts, work: () => Promise<unknown>): Promise<{ data: unknown; searched: boolean }>
}

/** What a call is searched by, empty where it is by no personal field. */
function termsOf(call: Call, parts: Parts): string[] {
  return (['query', 'body'] as const).flatMap((part) => {
    const given = (parts[part] ?? {}) as Readonly<Record<string, unknown>>
    return [...searchedFieldsOf(call[part]).keys()].flatMap((field) => {
      const value = given[field]
      return typeof value === 'string' && value.trim() !== '' ? [`${field} ${value.trim().toLowerCase()}`] : []
    })
  })
}

/** Whether a page or list holds anything. Other answers do not say so, and count as if they did not. */
function foundAny(data: unknown): boolean {
  if (Array.isArray(data)) return data.length > 0
  const { content } = (data ?? {}) as { content?: unknown }
  return Array.isArray(content) && content.length > 0
}

export function createMaskedSearches(clock: Clock): MaskedSearches {
  /** By user: what found nothing, or is being looked for, and when it was asked. */
  const misses = new Map<string, Map<string, number>>()

  function missesOf(userId: string): Map<string, number> {
    const since = clock.now() - WINDOW_MS
    for (const [other, asked] of misses) {
      for (const [term, at] of asked) if (at <= since) asked.delete(term)
      if (asked.size === 0) misses.delete(other)
    }
    const own = misses.get(userId) ?? new Map<string, number>()
    misses.set(userId, own)
    return own
  }

  return {
    async during(call, session, parts, work) {
      const terms = session?.masking === true ? termsOf(call, parts) : []
      if (session === null || terms.length === 0) return { data: await work(), searched: false }
      const own = missesOf(session.userId)
      const term = `${call.url} ${terms.join(' ')}`
      // A list asks while somebody types: what goes on with an earlier text is the same search.
      for (const before of own.keys()) if (term !== before && term.startsWith(before)) own.delete(before)
      if (!own.has(term) && own.size >= MISSES_MAX) throw new TooManyTries()
      own.set(term, clock.now())
      const data = await work()
      if (foundAny(data)) own.delete(term)
      return { data, searched: true }
    },
  }
}
