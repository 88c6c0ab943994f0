/** Passing and rejecting: whoever is passed is registered, whoever is not has a reason. Photographs are let go with either. */
import type { z } from 'zod'
import { FACES_PER_PERSON, type DataOf, type Language } from '@gatehouse/contract'
import type { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import type { PersonKind } from '@gatehouse/contract/people/calls'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { Conflict, InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
import type { PeopleService } from '../people/index.ts'
import { filesOf } from './applications.ts'
import * as data from './data.ts'
import { phoneOf } from './phone.ts'
import type { Photos } from './photo.ts'
import type { EnrolmentTables } from './schema.ts'
import { refusedBy } from './words.ts'

type Decided = DataOf<(typeof enrolmentCalls)['decide']>
type Wishes = z.output<(typeof enrolmentCalls)['decide']['body']>
type PersonFields = Parameters<PeopleService['create']>[1]

export interface Decisions {
  /** Each by itself. @throws NotFound where one of them, or the person, is not of this park */
  decide(session: Session, wishes: Wishes, language: Language): Promise<Decided>
}

/** Long enough for a photograph in a long line; whoever dies meanwhile leaves it to be decided again. */
const CLAIM_MS = 120_000
/** Nothing that stands in an application is masked: no form showed it. What it says of consent, the person said, or the third party. */
const formOf = ({ source }: Pick<data.ApplicationRow, 'source'>): Parameters<PeopleService['create']>[2] => ({
  masking: false,
  channel: source === 'self' ? 'self' : 'import',
})

const passed = (personId: string, decidedBy: string): data.Decision => ({ state: 'passed', personId, decidedBy, reason: '' })

export function createDecisions(platform: Platform, photos: Photos, people: PeopleService): Decisions {
  const db = platform.db as unknown as Database<EnrolmentTables>

  /** Registers somebody new; the decision stands with the person, or neither does. */
  async function register(scope: Scope, row: data.ApplicationRow, faceIds: string[], operator: string): Promise<void> {
    const fields = {
      name: row.name,
      workNumber: row.workNumber,
      phone: await phoneOf(platform.crypto, scope, row),
      gender: row.gender as PersonFields['gender'],
      groupId: row.groupId,
      kind: row.kind as PersonKind,
      cardType: 0,
      cardNumberFormat: 'decimal',
      customFields: [],
      facePhotos: faceIds,
      ...(row.consent && { faceConsent: true }),
    } as PersonFields
    await people.create(scope, fields, formOf(row), (tx, personId) => finish(tx, scope, row, passed(personId, operator)))
  }

  /** Adds the photograph to those of somebody who is registered. */
  async function add(scope: Scope, personId: string, row: data.ApplicationRow, faceIds: string[], operator: string): Promise<void> {
    const end = (tx: OpenTransaction): Promise<void> => finish(tx, scope, row, passed(personId, operator))
    if (faceIds.length === 0) return platform.transaction((tx: Tx<EnrolmentTables>) => end(tx))
    const person = await people.read(scope, personId)
    // The second one is welcome where there is room for it.
    const room = Math.max(1, FACES_PER_PERSON - person.facePhotos.length)
    const change = { facePhotos: [...person.facePhotos, ...faceIds.slice(0, room)], ...(row.consent && { faceConsent: true }) }
    await people.change(scope, personId, person.version, change, formOf(row), end)
  }

  async function finish(open: OpenTransaction, scope: Scope, row: data.ApplicationRow, decision: data.Decision): Promise<void> {
    const tx = open as Tx<EnrolmentTables>
    await data.decideApplication(scope, tx, row.id, decision, platform.clock.now())
    await platform.storage.release(tx, scope, filesOf(row))
    const { state, reason } = decision
    platform.audit.note({
      entity: 'personApplication',
      id: row.id,
      label: row.name,
      labelMask: 'name',
      before: { state: 'pending' },
      after: { state, ...(reason !== '' && { reason }) },
    })
  }

  async function decideOne({ scope, operator }: Session, id: string, { state, reason, personId, seen }: Wishes): Promise<void> {
    const now = platform.clock.now()
    const row = await data.claimApplication(scope, db, id, now, now + CLAIM_MS)
    if (row === undefined) throw new InvalidRequest([{ path: 'state', rule: 'decided' }])
    try {
      if (seen != null && (row.createdAt as number) > seen) throw new Conflict(['createdAt'])
      if (state === 'rejected')
        return await platform.transaction((tx: Tx<EnrolmentTables>) =>
          finish(tx, scope, row, { state, personId: row.personId, decidedBy: operator, reason: reason! }),
        )
      const second = { fileId: row.secondFileId, faceX: row.secondFaceX, faceY: row.secondFaceY }
      const faceIds = [await photos.hand(scope, row), await photos.hand(scope, second)].filter((faceId) => faceId !== null)
      const known = personId ?? row.personId
      await (known === null ? register(scope, row, faceIds, operator) : add(scope, known, row, faceIds, operator))
    } catch (error) {
      await data.unclaimApplication(scope, db, id)
      throw error
    }
  }

  return {
    async decide(session, wishes, language) {
      const { scope } = session
      const ids = [...new Set(wishes.ids)]
      if ((await data.findApplications(scope, db, ids)).length < ids.length) throw new NotFound()
      if (wishes.personId != null && (await people.describe(scope, [wishes.personId])).length === 0) throw new NotFound()
      const refused: Decided['refused'] = []
      for (const id of ids) {
        try {
          await decideOne(session, id, wishes)
        } catch (error) {
          refused.push(refusedBy(id, language, error))
        }
      }
      return { decided: ids.length - refused.length, refused }
    },
  }
}
