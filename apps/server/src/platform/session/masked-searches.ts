/**
 * What users for whom personal data are masked ask about them. Searches by personal fields find whole values only; a form that brings a
 * phone number, a card or an ID number is told whether somebody has it. Whoever tries many that nobody has is held up, so that
 * a masked value cannot be found out by trying what its asterisks stand for.
 */
import { isWrite, type Call } from '@gatehouse/contract'
import { TAKEN_RULES, searchedFieldsOf, triedValuesOf } from '@gatehouse/contract/masking'
import type { Clock } from '../time/clock.ts'
import { InvalidRequest, Refusal, TooManyTries } from '../http/refusal.ts'
import type { Session } from './session.ts'

/** Different searches and values of a user within the window: searches that find nothing, values that are taken or were typed into a form. */
export const MISSES_MAX = 60
const WINDOW_MS = 10 * 60_000

interface Parts {
  query?: unknown
  body?: unknown
}

export interface MaskedSearches {
  /**
   * Runs a call. A masked user's search by a personal field is counted before it is made, so that many at once are no way round, and no
   * longer once it found somebody. Values that a form brings are counted likewise: of an API user, whose program may hand in
   * thousands of persons, no longer once they were saved. Each node of the server counts for itself.
   *
   * @param told called where the call was refused because somebody has a value already
   * @returns what the call answers, and whether it was a search
   * @throws TooManyTries
   */
  during(
    call: Call,
    session: Session | null,
    parts: Parts,
    work: () => Promise<unknown>,
    told: () => void,
  ): Promise<{ data: unknown; searched: boolean }>
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

/** Whether an error says that somebody has a value already. */
function saysTaken(error: unknown): boolean {
  const fields = error instanceof InvalidRequest ? error.fields : error instanceof Refusal ? (error.data?.fields ?? []) : []
  return fields.some(({ rule }) => TAKEN_RULES.has(rule))
}

export function createMaskedSearches(clock: Clock): MaskedSearches {
  /** By user: what found nothing, was tried, or is being looked for, and when it was asked. The oldest come first. */
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

  /** Counts one more. @throws TooManyTries */
  function count(own: Map<string, number>, term: string): void {
    const [oldest = clock.now()] = own.values()
    if (!own.has(term) && own.size >= MISSES_MAX) throw new TooManyTries(oldest + WINDOW_MS - clock.now())
    own.delete(term)
    own.set(term, clock.now())
  }

  async function searching(call: Call, own: Map<string, number>, terms: readonly string[], work: () => Promise<unknown>): Promise<unknown> {
    const term = `${call.url} ${terms.join(' ')}`
    // A list asks while somebody types: what goes on with an earlier text is the same search.
    for (const before of own.keys()) if (term !== before && term.startsWith(before)) own.delete(before)
    count(own, term)
    const data = await work()
    if (foundAny(data)) own.delete(term)
    return data
  }

  async function saving(
    own: Map<string, number>,
    { kind }: Session,
    tried: readonly (readonly [field: string, value: string])[],
    work: () => Promise<unknown>,
    told: () => void,
  ): Promise<unknown> {
    const term = tried.map((one) => one.join(' ')).join(' ')
    const isKnown = own.has(term)
    if (tried.length > 0) count(own, term)
    try {
      const data = await work()
      if (kind === 'client' && !isKnown) own.delete(term)
      return data
    } catch (error) {
      // Refused for another reason it said nothing of the values.
      if (saysTaken(error)) told()
      else if (!isKnown) own.delete(term)
      throw error
    }
  }

  return {
    async during(call, session, parts, work, told) {
      if (session?.masking !== true) return { data: await work(), searched: false }
      const terms = termsOf(call, parts)
      if (terms.length > 0) return { data: await searching(call, missesOf(session.userId), terms, work), searched: true }
      if (!isWrite(call)) return { data: await work(), searched: false }
      return { data: await saving(missesOf(session.userId), session, triedValuesOf(call, parts.body), work, told), searched: false }
    },
  }
}
