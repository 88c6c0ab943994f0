/**
 * People registered at this terminal, as they pass its door: at all times, by their face, card and password, beside those the server sent.
 */
import type { AccessStrategy, TimeRule } from '@gatehouse/access-rules'
import { accessMethod } from '@gatehouse/contract/enums'
import type { Decider } from '../passage/decision.ts'
import type { CredentialKind } from '../store/credentials.ts'
import type { SearchableHoldings } from '../store/holdings.ts'
import type { LocalPeople } from './local-people.ts'

const ALWAYS: TimeRule = {
  id: 'local',
  periods: [1, 2, 3, 4, 5, 6, 7].map((weekday) => ({ weekday, start: '00:00', end: '24:00' })),
  allowedExceptionDates: [],
  forbiddenExceptionDates: [],
}
/** The password of the door is left out: it identifies nobody, and only the server permits it. */
const { face, card, cardAndFace, personalPasswordAndFace, smartPersonalPasswordAndFace, cardAndPassword, personalPassword } = accessMethod
const STRATEGY: AccessStrategy = {
  id: 'local',
  timeRuleIds: [ALWAYS.id],
  methods: [face, card, cardAndFace, personalPasswordAndFace, smartPersonalPasswordAndFace, cardAndPassword, personalPassword],
}

/** Return holdings in which the people of both are found, the nearest first. */
export function holdingsWith(holdings: SearchableHoldings, local: LocalPeople): SearchableHoldings {
  /** A value that somebody in both has belongs to several persons and so identifies nobody. */
  function holderOf(kind: CredentialKind, value: string): string | null {
    const sent = holdings.credentials.holderOf(kind, value)
    const own = kind === 'card' ? local.byCard(value) : kind === 'personalPassword' ? local.byPassword(value) : undefined
    return own && sent !== null ? null : (own?.id ?? sent)
  }

  return {
    ...holdings,
    credentials: {
      holderOf,
      isCardPassword: (personId, password) => (local.get(personId) ? null : holdings.credentials.isCardPassword(personId, password)),
    },
    person(id) {
      const own = local.get(id)
      return own ? { ...own, enabled: true } : holdings.person(id)
    },
    strategiesOf: (personId) => (local.get(personId) ? [STRATEGY] : holdings.strategiesOf(personId)),
    strategies: () => (local.size() > 0 ? [...holdings.strategies(), STRATEGY] : holdings.strategies()),
    timeRules: () => new Map([...holdings.timeRules(), [ALWAYS.id, ALWAYS]]),
    nearestOf(personId, embedding, isLookedAt) {
      if (!local.get(personId)) return holdings.nearestOf(personId, embedding, isLookedAt)
      const distance = local.distanceTo(personId, embedding)
      return distance === null ? null : { distance, contactId: null }
    },
    nearest: (embedding, most = 2) =>
      [...holdings.nearest(embedding, most), ...local.nearest(embedding)]
        .toSorted((one, other) => one.distance - other.distance)
        .slice(0, most),
    faces: () => holdings.faces() + local.faces(),
  }
}

/** Remove the ids of people registered here from decisions: the server does not know these ids, and receives the names alone. */
export function withoutLocalIds(decider: Decider, local: LocalPeople): Decider {
  return {
    ...decider,
    async decide(...parameters) {
      const outcome = await decider.decide(...parameters)
      return outcome.personId !== null && local.get(outcome.personId) ? { ...outcome, personId: null } : outcome
    },
  }
}
