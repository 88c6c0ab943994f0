/** Consents to recognition by the face, and their withdrawals. */
import type { ConsentEntry } from '@gatehouse/contract/privacy/calls'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { type NotedConsent, type PeopleService, VISITOR_KIND } from '../people/index.ts'
import * as data from './data.ts'

export interface Consent {
  /** Write it down, in the transaction that changes the person. */
  note(tx: Transaction, scope: Scope, personId: string, consent: NotedConsent): Promise<void>
  /** The newest first. @throws NotFound */
  history(scope: Scope, personId: string): Promise<ConsentEntry[]>
  /** Change a person's consent; a withdrawal deletes the photographs. @throws NotFound */
  set(scope: Scope, personId: string, consent: NotedConsent): Promise<ConsentEntry>
}

export function createConsent(platform: Platform, people: Pick<PeopleService, 'facts' | 'setConsent'>): Consent {
  const db = platform.db

  async function history(scope: Scope, personId: string): Promise<ConsentEntry[]> {
    const [person] = await people.facts(scope, [personId])
    // Visitors agree on the form of their visit.
    if (person === undefined || person.kind === VISITOR_KIND) throw new NotFound()
    return data.listConsents(scope, db, personId)
  }

  return {
    note: (tx, scope, personId, consent) => data.insertConsent(scope, tx, personId, { id: newId(), ...consent, at: platform.clock.now() }),
    history,
    async set(scope, personId, consent) {
      const [before] = await history(scope, personId)
      const [person] = await people.facts(scope, [personId])
      const entry = { id: newId(), ...consent, at: platform.clock.now() }
      await platform.transaction(async (tx) => {
        await people.setConsent(tx, scope, personId, consent.state, entry.at)
        await data.insertConsent(scope, tx, personId, entry)
        platform.audit.note({
          entity: 'person',
          id: personId,
          label: person?.name ?? '',
          labelMask: 'name',
          before: { faceConsent: before?.state ?? 'none' },
          after: { faceConsent: consent.state },
        })
      })
      return entry
    },
  }
}
