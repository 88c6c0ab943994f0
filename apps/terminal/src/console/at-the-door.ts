/** Lets the people registered at this terminal pass like everybody who is held: at all times, by the face, the card and the password they have. */
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
/** Not the password of the door: that names nobody, and is the server's to permit. */
const { face, card, cardAndFace, personalPasswordAndFace, smartPersonalPasswordAndFace, cardAndPassword, personalPassword } = accessMethod
const STRATEGY: AccessStrategy = {
  id: 'local',
  timeRuleIds: [ALWAYS.id],
  methods: [face, card, cardAndFace, personalPasswordAndFace, smartPersonalPasswordAndFace, cardAndPassword, personalPassword],
}

/** Holdings in which both are found, whoever comes nearest. */
export function holdingsWith(holdings: SearchableHoldings, local: LocalPeople): SearchableHoldings {
  /** What both know is of several persons, and so nobody's. */
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

/** The server knows no such person: what it is sent names him by his name alone. */
export function withoutLocalIds(decider: Decider, local: LocalPeople): Decider {
  return {
    ...decider,
    async decide(...asked) {
      const outcome = await decider.decide(...asked)
      return outcome.personId !== null && local.get(outcome.personId) ? { ...outcome, personId: null } : outcome
    },
  }
}
