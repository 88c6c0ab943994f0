/**
 * A second photograph for people with one: with two about a third as many of them are asked twice at a door. The picture of a passage may be
 * offered for it, never taken by itself: whoever is let in wrongly would be let in for good, so somebody looks at both pictures first.
 */
import type { z } from 'zod'
import { FACE_REFUSALS } from '@gatehouse/contract/faces/calls'
import { SECOND_PHOTOGRAPH_DAYS, type SecondPhotograph, type secondPhotographCalls } from '@gatehouse/contract/records/second-photographs'
import { code, type OutputOf } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { Conflict, InvalidRequest, NotFound, Refusal, refuse } from '../../platform/http/refusal.ts'
import { seeingAll, type Scope, type Session } from '../../platform/session/session.ts'
import type { RecordDependencies } from './dependencies.ts'
import type { RecordTables } from './schema.ts'
import * as data from './second-photographs-data.ts'
import { checksOf } from './watch-list-hits.ts'

type Page = z.output<(typeof secondPhotographCalls)['list']['data']>
type Query = OutputOf<(typeof secondPhotographCalls)['list']['query']>
type Answer = OutputOf<(typeof secondPhotographCalls)['answer']['body']>

export interface SecondPhotographs {
  /** @throws NotFound for an unknown group */
  list(scope: Scope, query: Query): Promise<Page>
  /**
   * What a passage offers a person. Costs a run of the engine for each picture that is looked at; nothing of it is kept.
   * @throws NotFound; Refusal 900000 while the engine has too much to do
   */
  offer(scope: Scope, personId: string): Promise<SecondPhotograph>
  /**
   * Takes the picture of a passage, or says that it is not to be taken; the same once more changes nothing.
   * @throws NotFound; InvalidRequest for a record that is no such passage of the person, or without a consent; Conflict where the person has more
   *   than one photograph or is changed meanwhile; Refusal with what is wrong with the picture, at `recordId`
   */
  answer(session: Pick<Session, 'scope' | 'operator'>, personId: string, answer: Answer): Promise<void>
  /** How often anybody was let in by the own face in the last days, and how often one had to look again for it. */
  again(scope: Scope): Promise<{ passages: number; again: number }>
  /** Forgets what was said of passages of these persons. */
  forget(scope: Scope, personIds: readonly string[]): Promise<void>
  erasePark(tx: OpenTransaction, scope: Scope): Promise<void>
}

const DAY = 86_400_000
/** Points of score by which a passage passed its threshold: a third as many strangers would have. */
const WELL_ABOVE = 5
/** Passages that are read, and pictures of them that are looked at: each of these takes the engine a while. */
const READ = 50
const LOOKED_AT = 3
/** What may be wrong with a picture; any other refusal is of the moment. */
const PICTURE_REFUSALS: ReadonlySet<number> = new Set(FACE_REFUSALS)

/** Whether the face had more than a door asked for. */
function isClear({ checks }: data.PicturedPassage): boolean {
  return checksOf(checks).some(
    (check) =>
      check.code === 'face' && check.ok && check.score !== null && check.threshold !== null && check.score >= check.threshold + WELL_ABOVE,
  )
}

/** Says what is wrong with the picture at the field that named it. */
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
  const db = platform.db as unknown as Database<RecordTables>
  const since = (): number => platform.clock.now() - SECOND_PHOTOGRAPH_DAYS * DAY

  /** Whether a picture tells something new of the person, and of nobody else. */
  async function isGood(scope: Scope, personId: string, { fileId }: data.PicturedPassage): Promise<boolean> {
    const picture = await platform.storage.load(scope, fileId, 'full')
    if (picture === null) return false
    let probe: Awaited<ReturnType<typeof faces.probe>>
    try {
      probe = await faces.probe(picture)
    } catch (error) {
      if (error instanceof Refusal && PICTURE_REFUSALS.has(error.code)) return false
      throw error
    }
    const [{ photos, together }, { door }, settings, [nearest]] = await Promise.all([
      faces.compare(scope, personId, probe.embedding),
      faces.thresholdsOf(scope),
      faces.matching.of(scope, [personId]),
      faces.searchNear(seeingAll(scope), probe, { limit: 1 }),
    ])
    const distance = together(photos.flatMap(({ faceId, setAsideAt }) => (setAsideAt === null ? [faceId] : [])))
    if (distance === null || nearest?.personId !== personId) return false
    const least = faces.askedOf(settings.get(personId) ?? null, door)
    // One that is set aside has been looked at already.
    const isKnown = photos.some((photo) => photo.distance !== null && faces.isSamePicture(photo.distance))
    return !isKnown && faces.scoreOf(distance) >= least
  }

  /** The newest passage whose picture is good. */
  async function offeredOf(scope: Scope, personId: string): Promise<SecondPhotograph['offer']> {
    const passages = (await data.findOffered(scope, db, personId, since(), READ)).filter(isClear)
    const labels = await faces.liveness.labelsOf(
      scope,
      passages.map(({ id }) => id),
    )
    // What somebody held up is no photograph of whom it shows.
    for (const passage of passages.filter(({ id }) => labels.get(id) !== 'spoof').slice(0, LOOKED_AT))
      if (await isGood(scope, personId, passage)) {
        const { id: recordId, time, deviceName, fileId } = passage
        const [url, thumbnail] = [platform.storage.address(scope, fileId, '320'), platform.storage.address(scope, fileId, '96')]
        return { recordId, time, deviceName, url, thumbnail }
      }
    return null
  }

  /** The one photograph a person is compared by; null where there is none, or more than one. */
  async function singleOf(scope: Scope, personIds: readonly string[]) {
    const [held, photos] = await Promise.all([faces.heldOf(scope, personIds), faces.photosOf(scope, personIds)])
    return (personId: string) => {
      const faceIds = held.get(personId)?.faceIds ?? []
      return faceIds.length === 1 ? (photos.get(personId)?.find(({ faceId }) => faceId === faceIds[0]) ?? null) : null
    }
  }

  async function known(scope: Scope, personId: string) {
    const [person] = await people.facts(scope, [personId])
    if (person === undefined) throw new NotFound()
    return person
  }

  /** Whether this picture is one of the person's photographs by an answer given before. */
  async function isTaken(scope: Scope, personId: string, recordId: string): Promise<boolean> {
    const faceId = await data.findAnswer(scope, db, recordId)
    return faceId != null && ((await faces.photosOf(scope, [personId])).get(personId) ?? []).some((photo) => photo.faceId === faceId)
  }

  async function take({ scope, operator }: Pick<Session, 'scope' | 'operator'>, personId: string, passage: data.PicturedPassage) {
    const { id: recordId, fileId } = passage
    if ((await singleOf(scope, [personId]))(personId) === null) throw new Conflict(['facePhotos'])
    const { facePhotos, version } = await people.read(scope, personId)
    const picture = await platform.storage.load(scope, fileId, 'full')
    if (picture === null) return refuse(code.faceWithoutFeature, 'recordId')
    const { faceId } = await faces.cache(scope, picture, { similar: false, personId })
    try {
      await people.change(scope, personId, version, { facePhotos: [...facePhotos, faceId] }, { masking: false, operator }, async (tx) => {
        const saved = await data.saveAnswer(scope, tx as Tx<RecordTables>, { recordId, personId, faceId }, platform.clock.now())
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
      const { name, enabled, kind } = await known(scope, personId)
      const registered = (await singleOf(scope, [personId]))(personId)
      const mayHave = registered !== null && enabled && kind !== 'special'
      return { personId, personName: name, registered, offer: mayHave ? await offeredOf(scope, personId) : null }
    },
    async answer(session, personId, { recordId, take: isWanted }) {
      const { scope } = session
      const { name } = await known(scope, personId)
      const passage = await data.findPictured(scope, db, personId, recordId)
      if (passage === undefined) throw new InvalidRequest([{ path: 'recordId', rule: 'unknown' }])
      if (await isTaken(scope, personId, recordId)) return
      if (isWanted)
        return take(session, personId, passage).catch(async (error: unknown) => {
          // Said twice at once: the other one has done it.
          if (error instanceof Conflict && (await isTaken(scope, personId, recordId))) return
          atRecord(error)
        })
      await platform.transaction(async (tx: Tx<RecordTables>) => {
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
    erasePark: (tx, scope) => data.deleteAnswersOfPark(scope, tx as Tx<RecordTables>),
  }
}
