/** Types of the faces service: what it offers to other areas and what it needs of them. */
import type { OwnCurve } from '@gatehouse/contract/faces/own-curve'
import type { Scope } from '../../platform/session/session.ts'
import type { DoorGroup } from './own-curve-types.ts'
import type { NewFace } from './data.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { FaceViewer } from './policy.ts'
import type { CachedFace, FacePhoto } from '@gatehouse/contract/faces/calls'
import type { FacesIn } from './faces-in-picture.ts'
import type { FacePurpose } from '@gatehouse/contract/faces/precision'
import type { AcceptedFace, EngineDescription, GalleryMatch } from '@gatehouse/face-engine'
import type { Gallery, SearchOptions } from './gallery.ts'
import type { Liveness } from './liveness.ts'
import type { Matching, MatchingSettings } from './matching-types.ts'
import type { FindAmong, FindLookAlike } from './one-of-few.ts'
import type { SearchCached, TemplateOfCached } from './one-to-n.ts'
import type { FacePolicyValues } from './settings.ts'

/** Facts of a person to whom a photograph belongs, from other contexts. */

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
/** What this context needs of others; since persons depend on photographs, it cannot use their contexts directly. */

export interface FacesNeeds {
  /** Unknown ids are left out. */
  persons(scope: Scope, ids: readonly string[]): Promise<PersonDescription[]>
  countPersons(scope: Scope): Promise<number>
  /** Persons of the watch list whom passages are searched for. */
  lookedOutFor(scope: Scope): Promise<string[]>
  /** Mean number of passages a day. */
  facesPerDay(scope: Scope): Promise<number>
  /** How often persons were let in by their own face in the last days, and how often they had to look again for it. */
  lookedAgain(scope: Scope): Promise<{ passages: number; again: number }>
  /** Number of doors that open for a face alone. */
  doorsByFaceAlone(scope: Scope): number
  /** Groups of devices that store the same people, with those people. */
  doorGroups(scope: Scope): DoorGroup[]
  /** Those of these devices that the caller may see. */
  devices(scope: Scope, ids: readonly string[]): Promise<{ id: string; name: string }[]>
  parkIds(): string[]
  /** Ids of the persons that the demo created. */
  demoPersons(scope: Scope): Promise<ReadonlySet<string>>
  /** Ids of persons the caller may not see. */
  unseen(scope: Scope): Promise<{ ids: ReadonlySet<string> }>
  /** The person and the name of each contact, by contact id; unknown ids are left out. */
  contacts(scope: Scope, ids: readonly string[]): Promise<ReadonlyMap<string, { personId: string; name: string }>>
}
/** What devices store of a person's face, without templates. */

export interface StoredFaces {
  /** In the person's order, without those set aside. */
  faceIds: string[]
  /** Individual raw score, applied where it is higher than the score for everybody; null: only the score for everybody. */
  threshold: number | null
  /** The individual score also applies where it is lower. */
  loosens: boolean
  lookAlikes: string[]
}
/** The owner of a photograph: a person, or a contact of one. */

export interface FaceOwner {
  personId: string | null
  contactId: string | null
}
export interface ComparedPhoto {
  faceId: string
  fileId: string
  /** Null where the running model has no template of it. */
  distance: number | null
  setAsideAt: number | null
}
/** The properties of a door's comparison that its threshold depends on. */

export interface Comparing {
  /** The loosest rate of false matches that is recommended for a door. */
  loosest: number
  /** Whether this number of photographs of a person becomes one template. */
  joins(photographs: number): boolean
  /** How alike the people of a door are; null where it was not measured with this model. */
  curveOf(deviceId: string): OwnCurve | null
}
/** The photographs of a person compared with a face. */

export interface ComparedPerson {
  photos: ComparedPhoto[]
  /**
   * Distance of the face from these photographs taken together, comparable to that from a single one; null where the running
   * model has no template of any.
   */
  together(faceIds: readonly string[]): number | null
}
/** Copies of a person's photographs for another person, with templates encrypted for their future rows. */

export type CopiedPhotos = (NewFace & { templates: { modelId: string; template: Buffer }[] })[]
export interface CacheOptions {
  /** Index of the chosen face among several. */
  faceIndex?: number | undefined
  /** The person the photograph is for. */
  personId?: string | undefined
  /** The user to whom similar persons are shown, if they may learn them; absent: no search is made. */
  viewer?: FaceViewer
  /** Nobody waits for the result: other work goes first, and it is abandoned once this signal is aborted. */
  background?: AbortSignal
  /** Writes in the same transaction what must be stored together with the photograph. */
  alongside?: (tx: Transaction, faceId: string) => Promise<void>
}
export interface FacesService {
  modelId: string
  description: EngineDescription
  /** The park's settings for faces, from memory. */
  policyOf(scope: Scope): FacePolicyValues
  /** Raw scores that keep the promises for everybody of the park: of a door, of the watch list, of searches. They may exceed 100. */
  thresholdsOf(scope: Scope): Promise<Record<FacePurpose, number>>
  /** Raw score that keeps the park's promise of a search among this many faces that are not the park's own photographs. */
  searchScoreAmong(scope: Scope, templates: number): number
  /** Register a listener that is called on each node once its memory reflects a change of a park's policy. */
  onPolicyChanged(listener: (scope: Scope) => void): void
  /** How a door with this model compares; default: the model of the server. */
  comparingAt(scope: Scope, modelId: string | undefined): Comparing
  /**
   * Whether a match of the search is near enough for a door that stores everybody of the park.
   * @param own how the person is compared; null: like everybody
   */
  reaches(scope: Scope, own: Pick<MatchingSettings, 'threshold' | 'loosens'> | null, match: GalleryMatch): Promise<boolean>
  /** The score required of a person where `usual` is required of everybody. @param own null: like everybody */
  requiredOf(own: Pick<MatchingSettings, 'threshold' | 'loosens'> | null, usual: number): number
  /** Raw score of a distance of the running model; it may exceed 100. */
  scoreOf(distance: number): number
  /** Distance of the running model at which faces have this raw score. */
  distanceOf(score: number): number
  /** Whether two templates of the running model are near enough to count as one person where both photographs were uploaded for one. */
  isOnePerson(one: Uint8Array, other: Uint8Array): boolean
  /** Whether two faces are so near that they come from one picture or one moment: together they say no more than one. */
  isSamePicture(distance: number): boolean
  /**
   * Whether the nearest person is as far ahead of the next as the park requires.
   * @param own how the nearest is compared; null: like everybody
   */
  leads(scope: Scope, own: { lookAlikes: readonly string[] } | null, nearest: GalleryMatch, next: GalleryMatch | undefined): boolean
  /**
   * Check a photograph and store it until a person is saved with it.
   * @throws Refusal with the code of what is wrong, NotFound for an unknown person
   */
  cache(scope: Scope, photo: Uint8Array, options: CacheOptions): Promise<CachedFace>
  /**
   * Return the face of a photograph, which is not stored.
   * @param options.asAtDoor the foremost face whatever its quality, as a terminal takes it
   * @throws Refusal with the code of what is wrong
   */
  probe(photo: Uint8Array, options?: { liveness?: boolean; asAtDoor?: boolean; faceIndex?: number | undefined }): Promise<AcceptedFace>
  /** Compare all photographs of a person, in their order, with an embedding of the running model. */
  compare(scope: Scope, personId: string, embedding: Float32Array): Promise<ComparedPerson>
  /**
   * Make these the photographs of a person, in this order; other photographs of the person are deleted.
   * @throws Refusal 200202 more than three, 200203 not the same person, 200201 a faceId that is unknown or belongs to somebody
   *   else, or only photographs that are set aside
   */
  assign(tx: Transaction, scope: Scope, personId: string, faceIds: readonly string[]): Promise<void>
  /** Copy the photographs of a person, without those set aside, for another person of that park or another; `adoptPhotos` stores them. */
  copyPhotos(scope: Scope, personId: string, to: Scope): Promise<CopiedPhotos>
  /** Store copied photographs as those of a new person. */
  adoptPhotos(tx: Transaction, scope: Scope, personId: string, photos: CopiedPhotos): Promise<void>
  /**
   * Make this the photograph of a contact; an earlier one is deleted. It takes no part in comparisons of persons, and goes to
   * devices only with the person.
   * @throws Refusal 200201 at `field` for a photograph that has an owner or is deleted
   */
  assignContact(tx: Transaction, scope: Scope, contactId: string, faceId: string, field: string): Promise<void>
  releaseContacts(tx: Transaction, scope: Scope, contactIds: readonly string[]): Promise<{ fileIds: string[]; templates: number }>
  /** @param within read through this transaction */
  photosOfContacts(scope: Scope, contactIds: readonly string[], within?: Transaction): Promise<Map<string, FacePhoto>>
  /** The photograph of each contact, by contact. */
  facesOfContacts(scope: Scope, contactIds: readonly string[]): Promise<Map<string, string>>
  /** Distance of an embedding of the running model from a contact's photograph; null where there is no photograph or no template of it. */
  compareContact(scope: Scope, contactId: string, embedding: Float32Array): Promise<number | null>
  /** Templates of a model by which contacts are compared, by photograph. */
  templatesOfContacts(scope: Scope, contactIds: readonly string[], modelId: string): Promise<Map<string, Buffer>>
  /** Delete all photographs of these persons; return the files deleted with the transaction, and how many templates. */
  release(tx: Transaction, scope: Scope, personIds: readonly string[]): Promise<{ fileIds: string[]; templates: number }>
  eraseAll(tx: Transaction, scope: Scope): Promise<number>
  photosOf(scope: Scope, personIds: readonly string[]): Promise<Map<string, FacePhoto[]>>
  count(scope: Scope, personIds: readonly string[]): Promise<number>
  /** Address of a small picture of a photograph's file. */
  thumbnailOf(scope: Scope, fileId: string): string
  /** Templates of a model by which persons are compared, by photograph. */
  templatesOf(scope: Scope, personIds: readonly string[], modelId: string): Promise<Map<string, Buffer>>
  /** A number that changes once this node learns that a model has new templates. */
  templatesRevision(scope: Scope, modelId: string): number
  /** What devices store of each of these persons; every id has an entry. */
  storedFacesOf(scope: Scope, personIds: readonly string[]): Promise<Map<string, StoredFaces>>
  /** The owner of a photograph and the picture itself; null where it has no owner. */
  photo(scope: Scope, faceId: string): Promise<(FaceOwner & { bytes: Buffer }) | null>
  /** Nearest persons of the park, nearest first; empty for a template of another model. */
  search(scope: Scope, modelId: string, template: Uint8Array, options: SearchOptions): Promise<GalleryMatch[]>
  /** The same for many faces at once. */
  searchEach: Gallery['searchEach']
  /** The same for a face that was found in a picture. */
  searchNear(scope: Scope, face: Pick<AcceptedFace, 'modelId' | 'embedding'>, options: SearchOptions): Promise<GalleryMatch[]>
  /** The same for a cached photograph without an owner. */
  searchCached: SearchCached
  templateOfCached: TemplateOfCached
  /** Which of a few persons a picture shows; the picture is not stored. */
  findAmong: FindAmong
  findLookAlike: FindLookAlike
  /** All faces of a picture, which is not stored. */
  facesIn: FacesIn
  matching: Matching
  /** Labels of passages, from which a liveness threshold is found. */
  liveness: Pick<Liveness, 'labelsOf' | 'labelled' | 'addCapture'>
  /** Delete those of these photographs that have no owner. */
  dropCached(scope: Scope, faceIds: readonly string[]): Promise<void>
  dropAbandoned(): Promise<number>
}
