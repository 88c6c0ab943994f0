/**
 * Second photographs for people with one: with two, about a third as many people are asked twice at a door. The picture of a
 * passage may be offered but is never added automatically: a person let in wrongly would be let in for good, so somebody compares
 * both pictures first.
 */
import { VISITOR_KIND } from '../people/index.ts'
import type { z } from 'zod'
import { SECOND_PHOTOGRAPH_DAYS, type SecondPhotograph, type secondPhotographCalls } from '@gatehouse/contract/records/second-photographs'
import { code, type OutputOf } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { Conflict, InvalidRequest, NotFound, Refusal, refuse } from '../../platform/http/refusal.ts'
import type { Actor, Scope } from '../../platform/session/session.ts'
import type { RecordDependencies } from './dependencies.ts'
import * as data from './second-photographs-data.ts'
import { createFindOffer } from './second-photograph-offers.ts'

type Page = z.output<(typeof secondPhotographCalls)['list']['data']>
type Query = OutputOf<(typeof secondPhotographCalls)['list']['query']>
type Answer = OutputOf<(typeof secondPhotographCalls)['answer']['body']>

export interface SecondPhotographs {
  /** @throws NotFound for an unknown group */
  list(scope: Scope, query: Query): Promise<Page>
  /**
   * Return the picture that is offered for a person. Each picture that is examined costs a run of the engine; nothing of it is
   * kept.
   * @throws NotFound; Refusal 900000 while the engine has too much to do
   */
  offer(scope: Scope, personId: string): Promise<SecondPhotograph>
  /**
   * Take the picture of a passage as a photograph, or note that it is not to be taken. Safe to repeat.
   * @throws NotFound; InvalidRequest for a record that is no such passage of the person, or without a consent; Conflict where the
   *   person does not have exactly one photograph or is changed meanwhile; Refusal with what is wrong with the picture, at
   *   `recordId`
   */
  answer(scope: Scope, actor: Actor, personId: string, answer: Answer): Promise<void>
  /** How often persons were let in by their own face in the last days, and how often they had to look again for it. */
  again(scope: Scope): Promise<{ passages: number; again: number }>
  /** Delete the answers about passages of these persons. */
  forget(scope: Scope, personIds: readonly string[]): Promise<void>
  erasePark(tx: Transaction, scope: Scope): Promise<void>
}

const DAY = 86_400_000
/** Rethrow an error about the picture at the field `recordId`. */
function atRecord(error: unknown): never {
  const moved = <F extends { path: string }>(fields: readonly F[]) => fields.map((issue) => ({ ...issue, path: 'recordId' }))
  if (error instanceof Refusal && error.data?.fields !== undefined)
    throw new Refusal(error.code, { ...error.data, fields: moved(error.data.fields) }, error.status)
  if (error instanceof InvalidRequest) throw new InvalidRequest(moved(error.fields), error.status)
  throw error
}

export function createSecondPhotographs(
  platform: Platform,
  { people, groups, faces }: Pick<RecordDependencies, 'people' | 'groups' | 'faces'>,
): SecondPhotographs {
  const db = platform.db
  const since = (): number => platform.clock.now() - SECOND_PHOTOGRAPH_DAYS * DAY
  const findOffer = createFindOffer(platform, faces)

  /** Return a function for the one photograph a person is compared by; null where there is none, or more than one. */
  async function singleOf(scope: Scope, personIds: readonly string[]) {
    const [stored, photos] = await Promise.all([faces.storedFacesOf(scope, personIds), faces.photosOf(scope, personIds)])
    return (personId: string) => {
      const faceIds = stored.get(personId)?.faceIds ?? []
      return faceIds.length === 1 ? (photos.get(personId)?.find(({ faceId }) => faceId === faceIds[0]) ?? null) : null
    }
  }

  async function personOf(scope: Scope, personId: string) {
    const [person] = await people.facts(scope, [personId])
    // A visit ends before a second photograph would help.
    if (person === undefined || person.kind === VISITOR_KIND) throw new NotFound()
    return person
  }

  /** Whether an earlier answer made this picture one of the person's photographs. */
  async function isTaken(scope: Scope, personId: string, recordId: string): Promise<boolean> {
    const faceId = await data.findAnswer(scope, db, recordId)
    return faceId != null && ((await faces.photosOf(scope, [personId])).get(personId) ?? []).some((photo) => photo.faceId === faceId)
  }

  async function take(scope: Scope, { operator }: Actor, personId: string, passage: data.PicturedPassage) {
    const { id: recordId, fileId } = passage
    if ((await singleOf(scope, [personId]))(personId) === null) throw new Conflict(['facePhotos'])
    const { facePhotos, version } = await people.read(scope, personId)
    const picture = await platform.storage.load(scope, fileId, 'full')
    if (picture === null) return refuse(code.faceWithoutFeature, 'recordId')
    const { faceId } = await faces.cache(scope, picture, { personId })
    try {
      await people.change(scope, personId, version, { facePhotos: [...facePhotos, faceId] }, { masking: false, operator }, async (tx) => {
        const saved = await data.saveAnswer(scope, tx, { recordId, personId, faceId }, platform.clock.now())
        if (!saved) throw new InvalidRequest([{ path: 'recordId', rule: 'unknown' }])
      })
    } catch (error) {
      await faces.dropCached(scope, [faceId])
      throw error
    }
  }

  return {
    again: (scope) => data.countAgain(scope, db, since()),
    async list(scope, { page, size, name, groupId }) {
      const groupIds = groupId === undefined ? null : await groups.withDescendants(scope, [groupId])
      if (groupIds?.length === 0) throw new NotFound()
      const { content, total } = await data.listOnes(scope, db, since(), { name, groupIds }, { page, size })
      const personIds = content.map(({ id }) => id)
      const [passages, photoOf, named] = await Promise.all([
        data.countPassages(scope, db, since(), personIds),
        singleOf(scope, personIds),
        groups.names(scope, [...new Set(content.map((row) => row.groupId))]),
      ])
      const groupNames = new Map(named.map((group) => [group.id, group.name]))
      return {
        total,
        content: content.map(({ groupId: of, workNumber, ...row }) => ({
          ...row,
          workNumber: workNumber ?? '',
          groupName: groupNames.get(of) ?? '',
          thumbnail: photoOf(row.id)?.thumbnail ?? '',
          passages: passages.get(row.id) ?? 0,
        })),
        page,
        size,
      }
    },
    async offer(scope, personId) {
      const { name, enabled, kind } = await personOf(scope, personId)
      const registered = (await singleOf(scope, [personId]))(personId)
      const mayHave = registered !== null && enabled && kind !== 'special'
      return { personId, personName: name, registered, offer: mayHave ? await findOffer(scope, personId, since()) : null }
    },
    async answer(scope, actor, personId, { recordId, take: isWanted }) {
      const { name } = await personOf(scope, personId)
      const passage = await data.findPictured(scope, db, personId, recordId)
      if (passage === undefined) throw new InvalidRequest([{ path: 'recordId', rule: 'unknown' }])
      if (await isTaken(scope, personId, recordId)) return
      if (isWanted)
        return take(scope, actor, personId, passage).catch(async (error: unknown) => {
          // Of two equal answers at once, the other one has succeeded.
          if (error instanceof Conflict && (await isTaken(scope, personId, recordId))) return
          atRecord(error)
        })
      await platform.transaction(async (tx) => {
        const saved = await data.saveAnswer(scope, tx, { recordId, personId, faceId: null }, platform.clock.now())
        if (!saved) throw new InvalidRequest([{ path: 'recordId', rule: 'unknown' }])
        platform.audit.note({
          entity: 'person',
          id: personId,
          label: name,
          labelMask: 'name',
          before: {},
          after: { noPhotographOf: recordId },
        })
      })
    },
    forget: (scope, personIds) => data.deleteAnswersOfPersons(scope, db, personIds),
    erasePark: (tx, scope) => data.deleteAnswersOfPark(scope, tx),
  }
}
