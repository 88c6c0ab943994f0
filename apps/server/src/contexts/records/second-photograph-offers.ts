/** Search for the picture of a passage that can be offered as a second photograph of a person. */
import { FACE_REFUSALS } from '@gatehouse/contract/faces/refusals'
import type { SecondPhotograph } from '@gatehouse/contract/records/second-photographs'
import type { Platform } from '../../platform/context.ts'
import { Refusal } from '../../platform/http/refusal.ts'
import { seeingAll, type Scope } from '../../platform/session/session.ts'
import { checksOf } from './checks.ts'
import type { RecordDependencies } from './dependencies.ts'
import { findCorrected } from './record-answers.ts'
import * as data from './second-photographs-data.ts'

/** Points of score by which a passage must exceed its threshold: a third as many strangers would. */
const WELL_ABOVE = 5
/** Passages that are read, and pictures of them that the engine analyses, which takes a while each. */
const READ = 50
const LOOKED_AT = 3
/** Refusals because of the picture itself; any other refusal is temporary. */
const PICTURE_REFUSALS: ReadonlySet<number> = new Set(FACE_REFUSALS)

/** Whether the score of the face is well above the threshold of the door. */
function isClear({ checks }: data.PicturedPassage): boolean {
  return checksOf(checks).some(
    (check) =>
      check.code === 'face' && check.ok && check.score !== null && check.threshold !== null && check.score >= check.threshold + WELL_ABOVE,
  )
}

/** Return the newest passage of a person since a moment whose picture is good; null where there is none. */
export type FindOffer = (scope: Scope, personId: string, since: number) => Promise<SecondPhotograph['offer']>

export function createFindOffer(platform: Platform, faces: RecordDependencies['faces']): FindOffer {
  const db = platform.db

  /** Whether a picture adds to the photographs of the person and resembles nobody else more. */
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
    const least = faces.requiredOf(settings.get(personId) ?? null, door)
    // Photographs that are set aside count too: somebody has already judged them.
    const isOnFile = photos.some((photo) => photo.distance !== null && faces.isSamePicture(photo.distance))
    return !isOnFile && faces.scoreOf(distance) >= least
  }

  return async (scope, personId, since) => {
    const clear = (await data.findOffered(scope, db, personId, since, READ)).filter(isClear)
    const ids = clear.map(({ id }) => id)
    const [labels, corrected] = await Promise.all([faces.liveness.labelsOf(scope, ids), findCorrected(platform, scope, ids)])
    // A corrected passage was of another person.
    const passages = clear.filter(({ id }) => !corrected.has(id))
    // A picture labelled as a spoof shows no living person.
    for (const passage of passages.filter(({ id }) => labels.get(id) !== 'spoof').slice(0, LOOKED_AT))
      if (await isGood(scope, personId, passage)) {
        const { id: recordId, time, deviceName, fileId } = passage
        const [url, thumbnail] = [platform.storage.address(scope, fileId, '320'), platform.storage.address(scope, fileId, '96')]
        return { recordId, time, deviceName, url, thumbnail }
      }
    return null
  }
}
