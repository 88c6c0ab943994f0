/**
 * A limit on guessing by users for whom personal data are masked. Their searches by personal fields match whole values only, and a form
 * that contains a phone number, a card or an ID number reveals whether a person has it. Many tries that match nobody are delayed, so that
 * a masked value cannot be found by trying what its asterisks stand for.
 */
import { isWrite, type Call } from '@gatehouse/contract'
import { TAKEN_RULES, searchedFieldsOf, triedValuesOf } from '@gatehouse/contract/masking'
import type { Clock } from '../time/clock.ts'
import { InvalidRequest, Refusal, TooManyTries } from '../http/refusal.ts'
import type { Session } from './session.ts'

/**
 * Most different searches and values of a user within the window: searches that find nothing, and values that are taken or were entered
 * into a form.
 */
export const MISSES_MAX = 60
const WINDOW_MS = 10 * 60_000

interface Parts {
  query?: unknown
  body?: unknown
}

export interface MaskedSearches {
  /**
   * Run a call. A masked user's search by a personal field is counted before it runs, so that parallel searches do not evade the limit,
   * and removed from the count once it finds a person. Values in a form are counted likewise; those of an API user, whose program may
   * enter thousands of persons, are removed once they are saved. Each node of the server counts for itself.
   *
   * @param onMatch called if the call is refused because a person already has a value
   * @returns the call's answer, and whether it was a search
   * @throws TooManyTries
   */
  during(
    call: Call,
    session: Session | null,
    parts: Parts,
    work: () => Promise<unknown>,
    onMatch: () => void,
  ): Promise<{ data: unknown; searched: boolean }>
}

/** Return the search terms of a call; empty where it searches by no personal field. */
function termsOf(call: Call, parts: Parts): string[] {
  return (['query', 'body'] as const).flatMap((part) => {
    const given = (parts[part] ?? {}) as Readonly<Record<string, unknown>>
    return [...searchedFieldsOf(call[part]).keys()].flatMap((field) => {
      const value = given[field]
      return typeof value === 'string' && value.trim() !== '' ? [`${field} ${value.trim().toLowerCase()}`] : []
    })
  })
}

/** Return whether a page or list has rows. Other answers count as empty. */
function foundAny(data: unknown): boolean {
  if (Array.isArray(data)) return data.length > 0
  const { content } = (data ?? {}) as { content?: unknown }
  return Array.isArray(content) && content.length > 0
}

/** Return whether an error says that a person already has a value. */
function saysTaken(error: unknown): boolean {
  const fields = error instanceof InvalidRequest ? error.fields : error instanceof Refusal ? (error.data?.fields ?? []) : []
  return fields.some(({ rule }) => TAKEN_RULES.has(rule))
}

export function createMaskedSearches(clock: Clock): MaskedSearches {
  /** By user: the terms that found nothing, were tried, or are being looked up, with their times. The oldest come first. */
  const misses = new Map<string, Map<string, number>>()

  function missesOf(userId: string): Map<string, number> {
    const since = clock.now() - WINDOW_MS
    for (const [other, triedAt] of misses) {
      for (const [term, at] of triedAt) if (at <= since) triedAt.delete(term)
      if (triedAt.size === 0) misses.delete(other)
    }
    const own = misses.get(userId) ?? new Map<string, number>()
    misses.set(userId, own)
    return own
  }

  /** Count one more term. @throws TooManyTries */
  function count(own: Map<string, number>, term: string): void {
    const [oldest = clock.now()] = own.values()
    if (!own.has(term) && own.size >= MISSES_MAX) throw new TooManyTries(oldest + WINDOW_MS - clock.now())
    own.delete(term)
    own.set(term, clock.now())
  }

  async function searching(call: Call, own: Map<string, number>, terms: readonly string[], work: () => Promise<unknown>): Promise<unknown> {
    const term = `${call.url} ${terms.join(' ')}`
    // A list searches while the user types: a longer text that continues an earlier one is the same search.
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
    onMatch: () => void,
  ): Promise<unknown> {
    const term = tried.map((one) => one.join(' ')).join(' ')
    const isKnown = own.has(term)
    if (tried.length > 0) count(own, term)
    try {
      const data = await work()
      if (kind === 'client' && !isKnown) own.delete(term)
      return data
    } catch (error) {
      // A refusal for another reason reveals nothing about the values.
      if (saysTaken(error)) onMatch()
      else if (!isKnown) own.delete(term)
      throw error
    }
  }

  return {
    async during(call, session, parts, work, onMatch) {
      if (session?.masking !== true) return { data: await work(), searched: false }
      const terms = termsOf(call, parts)
      if (terms.length > 0) return { data: await searching(call, missesOf(session.userId), terms, work), searched: true }
      if (!isWrite(call)) return { data: await work(), searched: false }
      return { data: await saving(missesOf(session.userId), session, triedValuesOf(call, parts.body), work, onMatch), searched: false }
    },
  }
}
