/** Photographs: checked by the engine, stored, given to persons, compared. */
import type { OwnCurve } from '@gatehouse/contract/faces/own-curve'
import { marginBetween, thresholdFor } from '@gatehouse/access-rules'
import { FACES_PER_PERSON, FACE_FILE_MAX } from '@gatehouse/contract'
import type { FacePurpose } from '@gatehouse/contract/faces/precision'
import { recordedScore } from '@gatehouse/contract/score'
import type { CachedFace, FacePhoto, SimilarPerson } from '@gatehouse/contract/faces/calls'
import {
  BUILTIN_ENGINE,
  acceptedFace,
  bytesOfEmbedding,
  distanceOf,
  distanceToAll,
  distanceOfScore,
  embeddingOfBytes,
  faceSquare,
  joins,
  leadOf,
  samePersonDistance,
  samePictureDistance,
  scoreOf,
  type AcceptedFace,
  type Calibration,
  type EngineDescription,
  type FacePool,
  type GalleryMatch,
} from '@gatehouse/face-engine'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { NotFound, refuse } from '../../platform/http/refusal.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import { createAnalysis, refusalOf, type Analysis } from './analysis.ts'
import * as data from './data.ts'
import { centreOf, createEmbedding, type Embedding } from './embedding.ts'
import { facesChanged, facesErased } from './events.ts'
import { foremostFace } from './foremost-face.ts'
import { createGallery, type Gallery, type SearchOptions } from './gallery.ts'
import { createLiveness, type Liveness } from './liveness.ts'
import { createCurvesInForce, type CurvesInForce } from './curves-in-force.ts'
import { createMatching, type Matching, type MatchingSettings } from './matching.ts'
import { deleteAnswersOf, deleteOwnCurve } from './own-curve-data.ts'
import type { OwnCurveTables } from './own-curve-schema.ts'
import type { DoorGroup } from './own-curve.ts'
import { createFindAmong, createFindLookAlike, type FindAmong, type FindLookAlike } from './one-of-few.ts'
import { createOneToN, type SearchCached } from './one-to-n.ts'
import { createPolicy, type FacePolicyValues, type PolicyService } from './policy.ts'
import { createSamePerson } from './same-person.ts'
import { createThresholds, type Thresholds } from './thresholds.ts'
import { FACE_TEMPLATE, type FacesTables } from './schema.ts'

/** What other contexts say of a person to whom a photograph belongs. */
export interface PersonDescription {
  id: string
  name: string
  workNumber: string | null
  gender: number
  kind: string
  groupId: string
  groupName: string
  /** YYYY-MM-DD. */
  birthday: string | null
}

/** What this context asks of others; persons have photographs, so it cannot ask them itself. */
export interface FacesNeeds {
  /** Unknown ids are left out. */
  persons(scope: Scope, ids: readonly string[]): Promise<PersonDescription[]>
  countPersons(scope: Scope): Promise<number>
  /** Persons of the watch list that passages are looked through for. */
  lookedOutFor(scope: Scope): Promise<string[]>
  /** Pictures of passages on an ordinary day. */
  facesPerDay(scope: Scope): Promise<number>
  /** How often anybody was let in by the own face in the last days, and how often one had to look again for it. */
  lookedAgain(scope: Scope): Promise<{ passages: number; again: number }>
  /** Doors that open for a face alone. */
  doorsByFaceAlone(scope: Scope): number
  /** The devices that hold the same people, with those people. */
  doorGroups(scope: Scope): DoorGroup[]
  /** Those of these devices that exist for the asker. */
  devices(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string }[]>
  parkIds(): string[]
  /** Ids of the persons the demo made. */
  demoPersons(scope: Scope): Promise<ReadonlySet<string>>
  /** Ids of those who do not exist for the asker. */
  unseen(scope: Scope): Promise<{ ids: ReadonlySet<string> }>
  /** Whose contacts these are, by contact; unknown ids are left out. */
  contacts(scope: Scope, ids: readonly string[]): Promise<ReadonlyMap<string, { personId: string; name: string }>>
}

/** What devices hold of a person's face, without templates. */
export interface HeldFaces {
  /** In their order; those set aside are left out. */
  faceIds: string[]
  /** Raw score doors ask for where it is more than they ask of everybody; null: what they ask. */
  threshold: number | null
  /** It holds where it is less, too. */
  loosens: boolean
  lookAlikes: string[]
}

/** Whom a photograph shows: a person, or a contact of one. */
export interface FaceOwner {
  personId: string | null
  contactId: string | null
}

export interface ComparedPhoto {
  faceId: string
  fileId: string
  /** Null where the model that runs has no template of it. */
  distance: number | null
  setAsideAt: number | null
}

/** How a door compares faces, as far as its threshold depends on it. */
export interface Comparing {
  /** The loosest rate of false matches that is recommended for a door. */
  loosest: number
  /** Whether so many photographs of a person are one template. */
  joins(photographs: number): boolean
  /** How alike those are who may come to a door; null where nobody measured it with this model. */
  curveOf(deviceId: string): OwnCurve | null
}

/** A person's photographs against a face. */
export interface ComparedPerson {
  photos: ComparedPhoto[]
  /** How far the face is from these of them as one, as from a single photograph; null where the model that runs has no template of any. */
  together(faceIds: readonly string[]): number | null
}

/** Photographs of a person on the way to another, their templates sealed for the rows they are going to be. */
export type CopiedPhotos = (data.NewFace & { templates: { modelId: string; template: Buffer }[] })[]

export interface CacheWishes {
  /** Which of several faces is meant. */
  faceIndex?: number | undefined
  /** Whose photograph it is to be. */
  personId?: string | undefined
  /** Whether to search for persons who look alike: only for a caller who may see persons, or search them by a photograph. */
  similar: boolean
  /** Nobody waits for it: others go first, and it is left alone once this is aborted. */
  gently?: AbortSignal
  /** What must be kept with it or not at all, in the same transaction. */
  alongside?: (tx: OpenTransaction, faceId: string) => Promise<void>
}

export interface FacesService {
  modelId: string
  description: EngineDescription
  /** What the park promises of its faces, from memory. */
  policyOf(scope: Scope): FacePolicyValues
  /** Raw scores that keep these promises for everybody the park knows: of a door, of the watch list, of searches. They may pass 100. */
  thresholdsOf(scope: Scope): Promise<Record<FacePurpose, number>>
  /** Called on each node once its memory has followed a change of a park's policy. */
  onPolicyChanged(listener: (scope: Scope) => void): void
  /** How a door compares whose device has this model; the server's unless told. */
  comparingAt(scope: Scope, modelId: string | undefined): Comparing
  /**
   * Whether a match of the search is near enough for a door that knows everybody of the park.
   * @param own how the person is compared; null: as everybody
   */
  reaches(scope: Scope, own: Pick<MatchingSettings, 'threshold' | 'loosens'> | null, match: GalleryMatch): Promise<boolean>
  /** What the face of somebody must reach where everybody must reach the usual. @param own null: as everybody */
  askedOf(own: Pick<MatchingSettings, 'threshold' | 'loosens'> | null, usual: number): number
  /** Raw score of a distance of the model that runs; it may pass 100. */
  scoreOf(distance: number): number
  /** Whether two templates of the model that runs are near enough to be taken for one person where both were handed in for one. */
  isOnePerson(one: Uint8Array, other: Uint8Array): boolean
  /** Whether two faces are so near to each other that they stem from one picture, or from one moment: together they tell no more than one. */
  isSamePicture(distance: number): boolean
  /** Whether the nearest person is as far ahead of the next as the park asks for. @param own how the nearest is compared; null: as everybody */
  leads(scope: Scope, own: { lookAlikes: readonly string[] } | null, nearest: GalleryMatch, next: GalleryMatch | undefined): boolean
  /** Checks a photograph and keeps it until a person is saved with it. @throws Refusal with the code of what is wrong, NotFound for an unknown person */
  cache(scope: Scope, photo: Uint8Array, wishes: CacheWishes): Promise<CachedFace>
  /**
   * The face of a photograph, which is not kept.
   * @param options.asAtDoor the foremost face whatever its quality, as a terminal takes it
   * @throws Refusal with the code of what is wrong
   */
  probe(photo: Uint8Array, options?: { liveness?: boolean; asAtDoor?: boolean; faceIndex?: number | undefined }): Promise<AcceptedFace>
  /** All photographs of a person, in their order, against an embedding of the model that runs. */
  compare(scope: Scope, personId: string, embedding: Float32Array): Promise<ComparedPerson>
  /**
   * Makes these the photographs of a person, in this order; others of the person are let go.
   * @throws Refusal 200202 more than three, 200203 not the same person, 200201 unknown faceId
   */
  assign(tx: OpenTransaction, scope: Scope, personId: string, faceIds: readonly string[]): Promise<void>
  /** Copies the photographs of a person, those set aside left out, for another of that park or of another one; `adoptPhotos` keeps them. */
  copyPhotos(scope: Scope, personId: string, to: Scope): Promise<CopiedPhotos>
  /** Makes copied photographs those of a new person. */
  adoptPhotos(tx: OpenTransaction, scope: Scope, personId: string, photos: CopiedPhotos): Promise<void>
  /**
   * Makes this the photograph of a contact; another one is let go. It is in no comparison of persons, and goes to devices with the person alone.
   * @throws Refusal 200201 at the field for one that somebody has, or that is gone
   */
  assignContact(tx: OpenTransaction, scope: Scope, contactId: string, faceId: string, field: string): Promise<void>
  releaseContacts(tx: OpenTransaction, scope: Scope, contactIds: readonly string[]): Promise<{ fileIds: string[]; templates: number }>
  photosOfContacts(scope: Scope, contactIds: readonly string[]): Promise<Map<string, FacePhoto>>
  /** The photograph of each contact, by contact. */
  facesOfContacts(scope: Scope, contactIds: readonly string[]): Promise<Map<string, string>>
  /** How far an embedding of the model that runs is from a contact's photograph; null where there is none, or no template of it. */
  compareContact(scope: Scope, contactId: string, embedding: Float32Array): Promise<number | null>
  /** Templates of a model by which contacts are known, by photograph. */
  templatesOfContacts(scope: Scope, contactIds: readonly string[], modelId: string): Promise<Map<string, Buffer>>
  /** Lets all photographs of these persons go; answers the files that go with the transaction, and how many templates. */
  release(tx: OpenTransaction, scope: Scope, personIds: readonly string[]): Promise<{ fileIds: string[]; templates: number }>
  eraseAll(tx: OpenTransaction, scope: Scope): Promise<number>
  photosOf(scope: Scope, personIds: readonly string[]): Promise<Map<string, FacePhoto[]>>
  count(scope: Scope, personIds: readonly string[]): Promise<number>
  /** Address of a small picture of a photograph's file. */
  thumbnailOf(scope: Scope, fileId: string): string
  /** Templates of a model by which persons are compared, by photograph. */
  templatesOf(scope: Scope, personIds: readonly string[], modelId: string): Promise<Map<string, Buffer>>
  /** Another number once this node has heard that a model has templates it had not before. */
  templatesRevision(scope: Scope, modelId: string): number
  /** Every person asked for has an entry. */
  heldOf(scope: Scope, personIds: readonly string[]): Promise<Map<string, HeldFaces>>
  /** Whose a photograph is, and the picture itself; null where nobody has it. */
  photo(scope: Scope, faceId: string): Promise<(FaceOwner & { bytes: Buffer }) | null>
  /** Nearest persons of the park, nearest first; empty for a template of another model. */
  search(scope: Scope, modelId: string, template: Uint8Array, options: SearchOptions): Promise<GalleryMatch[]>
  /** The same for a face that was found in a picture. */
  searchNear(scope: Scope, face: Pick<AcceptedFace, 'modelId' | 'embedding'>, options: SearchOptions): Promise<GalleryMatch[]>
  /** The same for a photograph that was checked and that nobody has. */
  searchCached: SearchCached
  /** Which of a few persons a picture shows, which is not kept. */
  findAmong: FindAmong
  findLookAlike: FindLookAlike
  matching: Matching
  /** Labels of passages by which a threshold of liveness is found. */
  liveness: Pick<Liveness, 'labelsOf' | 'labelled' | 'addCapture'>
  /** Lets those of these photographs go that nobody has. */
  dropCached(scope: Scope, faceIds: readonly string[]): Promise<void>
  dropAbandoned(): Promise<number>
}

/** The service, and the parts that the context itself starts and mounts. */
export interface FacesParts {
  service: FacesService
  analysis: Analysis
  policy: PolicyService
  thresholds: Thresholds
  gallery: Gallery
  embedding: Embedding
  liveness: Liveness
  curves: CurvesInForce
  templatesMade(scope: Scope, modelId: string): void
}

const HOUR = 3_600_000
/** The engine that is built in, of this version or a former one. */
const isBuiltIn = (modelId: string | undefined): boolean => modelId?.startsWith('builtin-') === true
const comparingOf = (calibration: Calibration): Omit<Comparing, 'curveOf'> => ({
  loosest: calibration.recommended.door,
  joins: (photographs) => joins(calibration, photographs),
})
/** As terminals of former versions compare: each photograph by itself. */
const FORMER_BUILTIN: Calibration = { ...BUILTIN_ENGINE.calibration, means: undefined }
/** Persons said to look like a new photograph. */
const SIMILAR_MAX = 3

export function createFacesService(platform: Platform, pool: FacePool, needs: FacesNeeds): FacesParts {
  const db = platform.db as unknown as Database<FacesTables>
  const { description } = pool
  const { calibration, modelId } = description
  const analysis = createAnalysis(pool, platform.config.faceWorkers)
  const curves = createCurvesInForce(platform, modelId)
  const policy = createPolicy(platform, description, { ...needs, measures: (scope) => thresholds.measures(scope), curveOf: curves.of })
  const thresholds = createThresholds(platform, description, {
    ...needs,
    promisesOf: (scope) => policy.of(scope).promises,
    curveOf: curves.of,
  })
  const gallery = createGallery(platform, description, needs.unseen)
  const embedding = createEmbedding(platform, description, analysis)
  const matching = createMatching(platform, { persons: needs.persons, door: async (scope) => (await thresholds.of(scope)).door, modelId })
  const liveness = createLiveness(platform, { engine: description, analysis, settingOf: (scope) => policy.of(scope).liveness })
  const samePerson = createSamePerson(platform, description, embedding)
  const revisions = new Map<string, number>()

  async function faceOf(
    photo: Uint8Array,
    wishes: {
      faceIndex?: number | undefined
      liveness?: boolean | undefined
      asAtDoor?: boolean | undefined
      gently?: AbortSignal | undefined
    },
  ) {
    if (photo.byteLength > FACE_FILE_MAX) refuse(200206, 'file')
    try {
      const options = wishes.liveness === true ? { liveness: true } : {}
      const found = await (wishes.gently === undefined ? analysis.analyse(photo, options) : analysis.gently(photo, options, wishes.gently))
      const face =
        wishes.asAtDoor === true
          ? foremostFace(found)
          : acceptedFace(found, wishes.faceIndex === undefined ? {} : { faceIndex: wishes.faceIndex })
      return { found, face }
    } catch (error) {
      return refusalOf(error)
    }
  }

  /** Other persons whom the face may be. */
  async function similarTo(scope: Scope, face: AcceptedFace, { personId }: CacheWishes): Promise<SimilarPerson[]> {
    const within = distanceOfScore(calibration, (await thresholds.of(scope)).search)
    const except = new Set(personId === undefined ? [] : [personId])
    const matches = await gallery.search(scope, face.modelId, bytesOfEmbedding(face.embedding), { limit: SIMILAR_MAX, within, except })
    if (matches.length === 0) return []
    const [persons, photos] = await Promise.all([
      needs.persons(
        scope,
        matches.map((match) => match.personId),
      ),
      data.findFaces(
        scope,
        db,
        matches.map(({ photoId }) => photoId),
      ),
    ])
    return matches.flatMap((match) => {
      const photo = photos.find(({ id }) => id === match.photoId)
      const person = persons.find(({ id }) => id === match.personId)
      // Deleted meanwhile, and not yet gone from the search.
      if (photo === undefined || person === undefined) return []
      return [
        {
          personId: match.personId,
          personName: person.name,
          workNumber: person.workNumber ?? '',
          score: recordedScore(scoreOf(calibration, match.distance)),
          thumbnail: platform.storage.address(scope, photo.fileId, '96'),
        },
      ]
    })
  }

  /** Photographs checked by a model that ran before, and given to a person only now: the work that makes the missing templates may be past them. */
  async function makeMissing(tx: OpenTransaction, scope: Scope, faceIds: readonly string[]): Promise<void> {
    const present = new Set((await data.findTemplates(scope, tx as Tx<FacesTables>, faceIds, modelId)).map(({ faceId }) => faceId))
    await embedding.makeNow(
      tx,
      scope,
      faceIds.filter((id) => !present.has(id)),
    )
  }

  const photoOf = (scope: Scope, { id, fileId }: data.FaceRow): FacePhoto => ({
    faceId: id,
    url: platform.storage.address(scope, fileId, '320'),
    thumbnail: platform.storage.address(scope, fileId, '96'),
  })

  async function releaseContacts(
    open: OpenTransaction,
    scope: Scope,
    contactIds: readonly string[],
  ): Promise<{ fileIds: string[]; templates: number }> {
    const tx = open as Tx<FacesTables>
    return drop(tx, scope, await data.findFacesOfContacts(scope, tx, contactIds))
  }

  /** Deletes photographs with their templates, in the transaction; answers their files, and how many templates. */
  async function drop(tx: Tx<FacesTables>, scope: Scope, rows: readonly data.FaceRow[]): Promise<{ fileIds: string[]; templates: number }> {
    const [fileIds, faceIds] = [rows.map((row) => row.fileId), rows.map((row) => row.id)]
    const templates = (await data.findTemplates(scope, tx, faceIds)).length
    await data.deleteFaces(scope, tx, faceIds)
    await platform.storage.release(tx, scope, fileIds)
    return { fileIds, templates }
  }

  const askedOf: FacesService['askedOf'] = (own, usual) =>
    thresholdFor(own && { faceThreshold: own.threshold, faceThresholdLoosens: own.loosens }, usual)

  const service: FacesService = {
    modelId,
    description,
    policyOf: policy.of,
    thresholdsOf: thresholds.of,
    // A terminal may run another engine: what one model can do may be more than another can, and would shut its door.
    comparingAt(scope, of) {
      const curveOf = (deviceId: string) => (of === modelId ? curves.of(scope, deviceId) : null)
      if (of === BUILTIN_ENGINE.modelId) return { ...comparingOf(BUILTIN_ENGINE.calibration), curveOf }
      return { ...comparingOf(isBuiltIn(of) ? FORMER_BUILTIN : calibration), curveOf }
    },
    async reaches(scope, own, { distance }) {
      const { door } = await thresholds.of(scope)
      return scoreOf(calibration, distance) >= askedOf(own, door)
    },
    askedOf,
    onPolicyChanged: policy.onChanged,
    scoreOf: (distance) => scoreOf(calibration, distance),
    isOnePerson: (one, other) =>
      distanceOf({ modelId, embedding: embeddingOfBytes(one) }, { modelId, embedding: embeddingOfBytes(other) }) <=
      samePersonDistance(calibration),
    isSamePicture: (distance) => distance <= samePictureDistance(calibration),
    leads: (scope, own, nearest, next) =>
      next === undefined || leadOf(calibration, nearest.distance, next.distance) >= marginBetween(policy.of(scope), own, next.personId),
    matching,
    liveness,
    search: gallery.search,
    searchNear: (scope, { modelId: of, embedding: numbers }, wishes) => gallery.search(scope, of, bytesOfEmbedding(numbers), wishes),
    searchCached: createOneToN(platform, description, gallery),
    findAmong: createFindAmong(description, analysis, gallery),
    findLookAlike: createFindLookAlike(description, gallery),
    async cache(scope, photo, wishes) {
      if (wishes.personId !== undefined && (await needs.persons(scope, [wishes.personId])).length === 0) throw new NotFound()
      const { found, face } = await faceOf(photo, wishes)
      const fileId = await platform.storage.savePicture(scope, photo, 'face', faceSquare(face.box, found))
      const quality = {
        sharpness: face.sharpness,
        brightness: face.brightness,
        yaw: face.yaw,
        pitch: face.pitch,
        roll: face.roll,
        score: face.score,
      }
      const faceId = newId()
      const template = await platform.crypto.seal(
        scope.parkId,
        placeOf(FACE_TEMPLATE, faceId, face.modelId),
        bytesOfEmbedding(face.embedding),
      )
      await platform.transaction(async (tx: Tx<FacesTables>) => {
        const now = platform.clock.now()
        await data.insertFace(scope, tx, { id: faceId, fileId, quality: { ...quality, centre: centreOf(face.box, found) } }, now)
        await data.insertTemplates(scope, tx, [{ faceId, modelId: face.modelId, template }], now)
        await platform.storage.keep(tx, scope, [fileId], 'waiting')
        platform.audit.made({ entity: 'face', id: faceId })
        await wishes.alongside?.(tx, faceId)
      })
      return {
        faceId,
        faces: [{ box: face.box, quality }],
        url: platform.storage.address(scope, fileId, '320'),
        thumbnail: platform.storage.address(scope, fileId, '96'),
        ...(wishes.similar && { similar: await similarTo(scope, face, wishes) }),
        wanted: policy.of(scope).photosWanted,
      }
    },
    probe: async (photo, options = {}) => (await faceOf(photo, options)).face,
    async compare(scope, personId, probe) {
      const photos = await data.findFacesOfPersons(scope, db, [personId])
      const templates = new Map(
        (
          await data.findTemplates(
            scope,
            db,
            photos.map(({ id }) => id),
            modelId,
          )
        ).map((row) => [row.faceId, row.template]),
      )
      const open = await platform.crypto.opener(scope.parkId)
      const face = { modelId, embedding: probe }
      const opened = new Map(
        [...templates].map(([id, template]) => [
          id,
          { modelId, embedding: embeddingOfBytes(open(placeOf(FACE_TEMPLATE, id, modelId), template)) },
        ]),
      )
      return {
        photos: photos.map(({ id, fileId, setAsideAt }) => {
          const own = opened.get(id)
          return { faceId: id, fileId, distance: own === undefined ? null : distanceOf(own, face), setAsideAt }
        }),
        together(faceIds) {
          const known = faceIds.flatMap((id) => opened.get(id) ?? [])
          return known.length === 0 ? null : distanceToAll(calibration, known, face)
        },
      }
    },
    async assign(open, scope, personId, faceIds) {
      const tx = open as Tx<FacesTables>
      const wanted = [...new Set(faceIds)]
      if (wanted.length > FACES_PER_PERSON) refuse(200202, 'facePhotos')
      const [rows, present] = await Promise.all([data.findFaces(scope, tx, wanted), data.findFacesOfPersons(scope, tx, [personId])])
      // A photograph that is gone, or that another person has, cannot be taken over.
      if (rows.length < wanted.length || rows.some((row) => row.contactId !== null || (row.personId !== null && row.personId !== personId)))
        refuse(200201, 'facePhotos')
      const dropped = present.filter((row) => !wanted.includes(row.id))
      const unchanged = dropped.length === 0 && present.length === wanted.length && present.every((row, index) => row.id === wanted[index])
      if (unchanged) return
      // One at least is compared: who has photographs is recognised.
      if (rows.length > 0 && rows.every((row) => row.setAsideAt !== null)) refuse(200201, 'facePhotos')
      await samePerson.assert(tx, scope, wanted)
      await makeMissing(
        tx,
        scope,
        rows.filter((row) => row.personId === null).map((row) => row.id),
      )
      await data.deleteFaces(
        scope,
        tx,
        dropped.map((row) => row.id),
      )
      await platform.storage.release(
        tx,
        scope,
        dropped.map((row) => row.fileId),
      )
      for (const [position, id] of wanted.entries())
        if (!(await data.attachFace(scope, tx, id, personId, position))) refuse(200201, 'facePhotos')
      await platform.storage.keep(
        tx,
        scope,
        rows.map((row) => row.fileId),
      )
      await platform.events.announce(tx, facesChanged, scope.parkId, { personIds: [personId] })
    },
    async copyPhotos(scope, personId, to) {
      const there = (await data.findFacesOfPersons(scope, db, [personId])).filter((row) => row.setAsideAt === null)
      const faceIds = there.map(({ id }) => id)
      const [rows, templates, open] = await Promise.all([
        data.findStoredPhotos(scope, db, faceIds),
        data.findTemplates(scope, db, faceIds),
        platform.crypto.opener(scope.parkId),
      ])
      const copied: CopiedPhotos = []
      for (const { id, fileId } of there) {
        const copyId = newId()
        const own = templates.filter(({ faceId }) => faceId === id)
        const sealed = await Promise.all(
          own.map(async ({ modelId: of, template }) => {
            const plain = open(placeOf(FACE_TEMPLATE, id, of), template)
            return { modelId: of, template: await platform.crypto.seal(to.parkId, placeOf(FACE_TEMPLATE, copyId, of), plain) }
          }),
        )
        copied.push({
          id: copyId,
          fileId: await platform.storage.copy(scope, fileId, to),
          quality: rows.find((row) => row.id === id)!.quality,
          templates: sealed,
        })
      }
      return copied
    },
    async adoptPhotos(open, scope, personId, photos) {
      const tx = open as Tx<FacesTables>
      const now = platform.clock.now()
      for (const [position, { templates, ...face }] of photos.entries()) {
        await data.insertFace(scope, tx, face, now)
        await data.insertTemplates(
          scope,
          tx,
          templates.map((row) => ({ ...row, faceId: face.id })),
          now,
        )
        await data.attachFace(scope, tx, face.id, personId, position)
      }
      await platform.storage.keep(
        tx,
        scope,
        photos.map(({ fileId }) => fileId),
      )
      await makeMissing(
        tx,
        scope,
        photos.map(({ id }) => id),
      )
      await platform.events.announce(tx, facesChanged, scope.parkId, { personIds: [personId] })
    },
    async assignContact(open, scope, contactId, faceId, field) {
      const tx = open as Tx<FacesTables>
      const [present] = await data.findFacesOfContacts(scope, tx, [contactId])
      if (present?.id === faceId) return
      await releaseContacts(tx, scope, [contactId])
      if (!(await data.attachToContact(scope, tx, faceId, contactId))) refuse(200201, field)
      await platform.storage.keep(
        tx,
        scope,
        (await data.findFaces(scope, tx, [faceId])).map((row) => row.fileId),
      )
      await makeMissing(tx, scope, [faceId])
    },
    releaseContacts,
    async photosOfContacts(scope, contactIds) {
      const rows = await data.findFacesOfContacts(scope, db, contactIds)
      return new Map(rows.map((row) => [row.contactId!, photoOf(scope, row)]))
    },
    async facesOfContacts(scope, contactIds) {
      return new Map((await data.findFacesOfContacts(scope, db, contactIds)).map((row) => [row.contactId!, row.id]))
    },
    async compareContact(scope, contactId, probe) {
      const [row] = await data.findTemplatesOfContacts(scope, db, [contactId], modelId)
      if (row === undefined) return null
      const open = await platform.crypto.opener(scope.parkId)
      const template = open(placeOf(FACE_TEMPLATE, row.faceId, modelId), row.template)
      return distanceOf({ modelId, embedding: embeddingOfBytes(template) }, { modelId, embedding: probe })
    },
    async templatesOfContacts(scope, contactIds, of) {
      const rows = await data.findTemplatesOfContacts(scope, db, contactIds, of)
      const open = await platform.crypto.opener(scope.parkId)
      return new Map(rows.map(({ faceId, template }) => [faceId, open(placeOf(FACE_TEMPLATE, faceId, of), template)]))
    },
    async release(open, scope, personIds) {
      const tx = open as Tx<FacesTables>
      const dropped = await drop(tx, scope, await data.findFacesOfPersons(scope, tx, personIds))
      await matching.release(tx, scope, personIds)
      await deleteAnswersOf(scope, open as unknown as Tx<OwnCurveTables>, personIds)
      await platform.events.announce(tx, facesChanged, scope.parkId, { personIds: [...personIds] })
      return dropped
    },
    async eraseAll(open, scope) {
      const tx = open as Tx<FacesTables>
      const fileIds = await data.deleteFacesOfPark(scope, tx)
      await platform.storage.release(tx, scope, fileIds)
      await matching.eraseAll(tx, scope)
      await deleteOwnCurve(scope, open as unknown as Tx<OwnCurveTables>)
      await policy.erase(tx, scope)
      await platform.work.erase(tx, scope)
      await platform.events.announce(tx, facesErased, scope.parkId, {})
      return fileIds.length
    },
    async photosOf(scope, personIds) {
      const photos = new Map<string, FacePhoto[]>()
      for (const row of await data.findFacesOfPersons(scope, db, personIds))
        photos.set(row.personId!, [...(photos.get(row.personId!) ?? []), photoOf(scope, row)])
      return photos
    },
    count: (scope, personIds) => data.countFaces(scope, db, personIds),
    thumbnailOf: (scope, fileId) => platform.storage.address(scope, fileId, '96'),
    async templatesOf(scope, personIds, of) {
      const rows = await data.findTemplatesOfPersons(scope, db, personIds, of)
      const open = await platform.crypto.opener(scope.parkId)
      return new Map(rows.map(({ faceId, template }) => [faceId, open(placeOf(FACE_TEMPLATE, faceId, of), template)]))
    },
    templatesRevision: (scope, of) => revisions.get(`${scope.parkId}/${of}`) ?? 0,
    async heldOf(scope, personIds) {
      const [rows, settings] = await Promise.all([data.findFaceIdsOfPersons(scope, db, personIds), matching.of(scope, personIds)])
      const held = new Map<string, HeldFaces>()
      for (const id of personIds) held.set(id, { faceIds: [], threshold: null, loosens: false, lookAlikes: [], ...settings.get(id) })
      for (const { personId, faceId } of rows) held.get(personId!)!.faceIds.push(faceId)
      return held
    },
    async photo(scope, faceId) {
      const [face] = await data.findFaces(scope, db, [faceId])
      if (face === undefined || (face.personId === null && face.contactId === null)) return null
      const bytes = await platform.storage.load(scope, face.fileId, 'full')
      return bytes === null ? null : { personId: face.personId, contactId: face.contactId, bytes }
    },
    dropCached: (scope, faceIds) =>
      platform.transaction(async (tx: Tx<FacesTables>) => {
        const rows = await data.findFaces(scope, tx, faceIds)
        await drop(
          tx,
          scope,
          rows.filter(({ personId, contactId }) => personId === null && contactId === null),
        )
      }),
    async dropAbandoned() {
      const rows = await data.findAbandonedFacesUnscoped(db, platform.clock.now() - 24 * HOUR)
      for (const row of rows) {
        const scope = { parkId: row.parkId }
        await platform.transaction(async (tx: Tx<FacesTables>) => {
          await data.deleteFaces(scope, tx, [row.id])
          await platform.storage.release(tx, scope, [row.fileId])
        })
      }
      return rows.length
    },
  }
  return {
    service,
    analysis,
    policy,
    thresholds,
    gallery,
    embedding,
    liveness,
    curves,
    templatesMade: ({ parkId }, of) => void revisions.set(`${parkId}/${of}`, (revisions.get(`${parkId}/${of}`) ?? 0) + 1),
  }
}
