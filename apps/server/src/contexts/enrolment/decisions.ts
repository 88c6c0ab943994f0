/** Decisions on applications. An accepted person is registered, a rejection has a reason. Photos are deleted in both cases. */
import type { z } from 'zod'
import { FACES_PER_PERSON, type DataOf, type Language } from '@gatehouse/contract'
import type { enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { Conflict, InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'
import { type PeopleService, VISITOR_KIND } from '../people/index.ts'
import { filesOf } from './application-files.ts'
import * as data from './data.ts'
import { phoneOf } from './phone.ts'
import type { Photos } from './photo.ts'
import { refusedBy } from '../../platform/http/refused-by.ts'

type Decided = DataOf<(typeof enrolmentCalls)['decide']>
type DecideBody = z.output<(typeof enrolmentCalls)['decide']['body']>
type PersonFields = Parameters<PeopleService['create']>[1]

export interface Decisions {
  /** Decide each application by itself. @throws NotFound if one of them, or the person, is not of this park */
  decide(scope: Scope, actor: Actor, body: DecideBody, language: Language): Promise<Decided>
}

/** Long enough for a photo in a long queue. If the server stops meanwhile, the application can be decided again. */
const CLAIM_MS = 120_000
/** Applications contain no masked values, because no form showed any. Consent is that of the person, or of the third party. */
const formOf = ({ source }: Pick<data.ApplicationRow, 'source'>): Parameters<PeopleService['create']>[2] => ({
  masking: false,
  channel: source === 'self' ? 'self' : 'import',
})

const passed = (personId: string, decidedBy: string): data.Decision => ({ state: 'passed', personId, decidedBy, reason: '' })

export function createDecisions(platform: Platform, photos: Photos, people: PeopleService): Decisions {
  const db = platform.db

  /** Register a new person in one transaction with the decision. */
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

  /** Add the photos to a registered person. */
  async function add(scope: Scope, personId: string, row: data.ApplicationRow, faceIds: string[], operator: string): Promise<void> {
    const end = (tx: Transaction): Promise<void> => finish(tx, scope, row, passed(personId, operator))
    if (faceIds.length === 0) return platform.transaction((tx) => end(tx))
    const person = await people.read(scope, personId)
    // The second photo is added if there is room for it.
    const room = Math.max(1, FACES_PER_PERSON - person.facePhotos.length)
    const change = { facePhotos: [...person.facePhotos, ...faceIds.slice(0, room)], ...(row.consent && { faceConsent: true }) }
    await people.change(scope, personId, person.version, change, formOf(row), end)
  }

  async function finish(tx: Transaction, scope: Scope, row: data.ApplicationRow, decision: data.Decision): Promise<void> {
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

  async function decideOne(scope: Scope, { operator }: Actor, id: string, { state, reason, personId, seen }: DecideBody): Promise<void> {
    const now = platform.clock.now()
    const row = await data.claimApplication(scope, db, id, now, now + CLAIM_MS)
    if (row === undefined) throw new InvalidRequest([{ path: 'state', rule: 'decided' }])
    try {
      if (seen != null && row.createdAt > seen) throw new Conflict(['createdAt'])
      if (state === 'rejected')
        return await platform.transaction((tx) =>
          finish(tx, scope, row, { state, personId: row.personId, decidedBy: operator, reason: reason! }),
        )
      const second = { fileId: row.secondFileId, faceX: row.secondFaceX, faceY: row.secondFaceY }
      const faceIds = [await photos.hand(scope, row), await photos.hand(scope, second)].filter((faceId) => faceId !== null)
      const existingId = personId ?? row.personId
      await (existingId === null ? register(scope, row, faceIds, operator) : add(scope, existingId, row, faceIds, operator))
    } catch (error) {
      await data.unclaimApplication(scope, db, id)
      throw error
    }
  }

  return {
    async decide(scope, actor, body, language) {
      const ids = [...new Set(body.ids)]
      if ((await data.findApplications(scope, db, ids)).length < ids.length) throw new NotFound()
      const [person] = body.personId == null ? [] : await people.describe(scope, [body.personId])
      if (body.personId != null && (person === undefined || person.kind === VISITOR_KIND)) throw new NotFound()
      const refused: Decided['refused'] = []
      for (const id of ids) {
        try {
          await decideOne(scope, actor, id, body)
        } catch (error) {
          // The person or the application does not exist any more.
          refused.push(refusedBy(id, language, error, 'personId'))
        }
      }
      return { decided: ids.length - refused.length, refused }
    },
  }
}
