/** Comparison of the picture of a passage with the current photographs. */
import type { MatchAnalysis } from '@gatehouse/contract/clinic/calls'
import { FACE_REFUSALS } from '@gatehouse/contract/faces/refusals'
import type { Platform } from '../../platform/context.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { canLearnWhoLooksAlike } from '../faces/index.ts'
import type { Clinic } from './clinic-types.ts'
import * as data from './data.ts'
import type { ClinicDependencies } from './dependencies.ts'
import type { Passage, Passages } from './passages.ts'

const NEXT = 5
/** Refusals because of the picture itself; any other refusal is temporary. */
const PICTURE_REFUSALS: ReadonlySet<number> = new Set(FACE_REFUSALS)

type Faces = ClinicDependencies['faces']
type Probe = Awaited<ReturnType<Faces['probe']>>

interface AnalysisParts extends Pick<ClinicDependencies, 'people' | 'faces'> {
  platform: Platform
  passages: Passages
}

/** Return the face in a record's picture, or the reason why there is none to compare. */
async function probeOf(
  { platform, faces }: AnalysisParts,
  scope: Scope,
  { captureFileId }: Passage,
): Promise<Probe | NonNullable<MatchAnalysis['unavailable']>> {
  const picture = captureFileId === null ? null : await platform.storage.load(scope, captureFileId, 'full')
  if (picture === null) return { reason: 'noPicture', code: null }
  try {
    return await faces.probe(picture, { asAtDoor: true })
  } catch (error) {
    if (error instanceof Refusal && PICTURE_REFUSALS.has(error.code)) return { reason: 'refused', code: error.code }
    throw error
  }
}

/** Return the contact who came in the person's place, and the score of the face against their photograph. */
async function contactOf(
  { faces }: AnalysisParts,
  scope: Scope,
  { contactId, contactName }: Passage,
  probe: Probe | null,
): Promise<MatchAnalysis['contact']> {
  if (contactId === null) return null
  const [photos, compared] = await Promise.all([
    faces.photosOfContacts(scope, [contactId]),
    probe === null ? null : faces.compareContact(scope, contactId, probe.embedding),
  ])
  const photo = photos.get(contactId)
  return {
    id: contactId,
    name: contactName,
    url: photo?.url ?? '',
    thumbnail: photo?.thumbnail ?? '',
    score: compared === null ? null : faces.scoreOf(compared),
  }
}

/**
 * Return the person of a passage, and the contact who came in their place if that contact is also a registered person: neither is
 * listed among those who look alike.
 */
async function whoCame(
  { people }: AnalysisParts,
  scope: Scope,
  { personId, contactId }: Passage,
  matches: readonly string[],
): Promise<Set<string>> {
  const came = new Set(personId === null ? [] : [personId])
  if (personId === null || contactId === null) return came
  const [contacts, persons] = await Promise.all([people.contactsOf(scope, [personId]), people.facts(scope, matches)])
  const human = contacts.get(personId)?.find(({ id }) => id === contactId)?.human
  for (const person of persons) if (human !== undefined && person.human === human) came.add(person.id)
  return came
}

/** Return the persons who look most like the face, without those who came. */
async function nextTo(
  parts: AnalysisParts,
  scope: Scope,
  probe: Probe,
  passage: Passage,
  lookAlikes: ReadonlySet<string>,
): Promise<NonNullable<MatchAnalysis['next']>> {
  // Two more than needed: the person, and at most one person who is the contact.
  const { faces, passages } = parts
  const found = await faces.searchNear(scope, probe, { limit: NEXT + 2 })
  const came = await whoCame(
    parts,
    scope,
    passage,
    found.map((match) => match.personId),
  )
  const matches = found.filter((match) => !came.has(match.personId)).slice(0, NEXT)
  const ids = matches.map((match) => match.personId)
  const [names, photos] = await Promise.all([passages.namesOf(scope, ids), faces.photosOf(scope, ids)])
  return matches.flatMap((match) => {
    const named = names.get(match.personId)
    if (named === undefined) return []
    const photo = photos.get(match.personId)?.find(({ faceId }) => faceId === match.photoId)
    return [
      {
        personId: match.personId,
        personName: named.name,
        workNumber: named.workNumber,
        score: faces.scoreOf(match.distance),
        faceId: match.photoId,
        thumbnail: photo?.thumbnail ?? '',
        lookAlike: lookAlikes.has(match.personId),
      },
    ]
  })
}

export function createAnalysis(parts: AnalysisParts): Clinic['analyse'] {
  const { platform, people, faces, passages } = parts
  const db = platform.db
  const { matching } = faces
  return async (scope, viewer, recordId) => {
    const passage = await passages.passageOf(scope, recordId)
    const { personId, personName } = passage
    const isThere = personId !== null && (await people.facts(scope, [personId])).length > 0
    const [probe, person, correction] = await Promise.all([
      probeOf(parts, scope, passage),
      isThere ? matching.read(scope, personId) : null,
      data.findCorrection(scope, db, recordId),
    ])
    const isFace = 'embedding' in probe
    const compared = isFace && person !== null ? await faces.compare(scope, person.personId, probe.embedding) : null
    const scores = new Map(
      (compared?.photos ?? []).flatMap(({ faceId, distance }) => (distance === null ? [] : [[faceId, faces.scoreOf(distance)]])),
    )
    /** Return the score of these photographs as doors compare them: several count as one. */
    const scoreOf = (faceIds: readonly string[]): number | null => {
      const distance = compared?.together(faceIds) ?? null
      return distance === null ? null : faces.scoreOf(distance)
    }
    const inUse = (person?.photos ?? []).flatMap(({ faceId, setAsideAt }) => (setAsideAt === null && scores.has(faceId) ? [faceId] : []))
    const score = scoreOf(inUse)
    const nearest = Math.max(...inUse.map((faceId) => scores.get(faceId)!))
    const carrier = inUse.find((faceId) => scores.get(faceId) === nearest)
    const lookAlikes = new Set(person?.lookAlikes.map((other) => other.personId))
    const [next, contact, corrections, { door }] = await Promise.all([
      canLearnWhoLooksAlike(viewer) ? (isFace ? nextTo(parts, scope, probe, passage, lookAlikes) : []) : null,
      contactOf(parts, scope, passage, isFace ? probe : null),
      passages.present(scope, correction === undefined ? [] : [correction]),
      faces.thresholdsOf(scope),
    ])
    return {
      recordId,
      personId,
      personName,
      contact,
      recordScore: passage.score,
      modelId: faces.modelId,
      unavailable: isFace ? (person === null ? { reason: 'noPerson' as const, code: null } : null) : probe,
      threshold: person === null ? door : faces.requiredOf(person, person.parkThreshold),
      score,
      photos: (person?.photos ?? []).map(({ faceId, url, thumbnail, setAsideAt }) => ({
        faceId,
        url,
        thumbnail,
        score: scores.get(faceId) ?? null,
        setAsideAt,
        carried: faceId === carrier,
      })),
      scoreWithout: scoreOf(inUse.filter((faceId) => faceId !== carrier)),
      next,
      correction: corrections[0] ?? null,
    }
  }
}
