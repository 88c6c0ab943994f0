/** The scores that keep a park's promises: worked out for what is compared now, and again when that has changed. */
import { FACE_PURPOSES, type FacePurpose } from '@gatehouse/contract/faces/precision'
import type { OwnCurve } from '@gatehouse/contract/faces/own-curve'
import { scoreKept, type Compared, type FacePromises } from '@gatehouse/contract/faces/promise'
import { joins, type Calibration, type EngineDescription } from '@gatehouse/face-engine'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { seeingAll, seeingNoWatchList, seesWatchList, type Scope } from '../../platform/session/session.ts'
import { countFaces, type CountedFaces } from './embedding-data.ts'
import type { FacesTables } from './schema.ts'

/** What faces are compared with in a park, for each purpose; a door is one that knows everybody. */
export type Measures = Record<FacePurpose, Compared>

export interface Thresholds {
  measures(scope: Scope): Promise<Measures>
  /** Raw scores; they may pass 100. */
  of(scope: Scope): Promise<Record<FacePurpose, number>>
  /** What the model's own curve asks for at a door of the whole park. */
  shippedDoor(scope: Scope): Promise<number>
  /** Photographs of the park are others: what is compared is counted anew. */
  noteChanged(scope: Scope): void
}

export interface ThresholdNeeds {
  promisesOf(scope: Scope): FacePromises
  /** Persons of the watch list that passages are looked through for. */
  lookedOutFor(scope: Scope): Promise<string[]>
  /** Pictures of passages on an ordinary day. */
  facesPerDay(scope: Scope): Promise<number>
  /** How alike the people of the park are; null where that is not known. */
  curveOf(scope: Scope): OwnCurve | null
}

/** Where nothing tells that something changed: passages do not, nor does who is on the watch list. */
const KEPT_MS = 60_000

const promiseOf = (promises: FacePromises): Record<FacePurpose, number> => ({
  door: promises.strangersPerThousand,
  watchList: promises.falseAlarmsPerDay,
  search: promises.wrongPerSearch,
})

/** Several photographs of a person are one template where the model knows their mean. */
export const templatesOf = (calibration: Calibration, { persons }: Pick<CountedFaces, 'persons'>): number =>
  persons.reduce((sum, { photographs, count }) => sum + count * (joins(calibration, photographs) ? 1 : photographs), 0)

export function createThresholds(
  platform: Platform,
  { modelId, calibration }: EngineDescription,
  { promisesOf, lookedOutFor, facesPerDay, curveOf }: ThresholdNeeds,
): Thresholds {
  const db = platform.db as unknown as Database<FacesTables>
  const counted = new Map<string, { at: number; measures: Promise<Measures> }>()

  async function count(scope: Scope): Promise<Measures> {
    const [atDoors, everybody, wanted, perDay] = await Promise.all([
      // No door knows anybody of the watch list.
      countFaces(seeingNoWatchList(scope), db, modelId),
      countFaces(scope, db, modelId),
      lookedOutFor(scope).then((ids) => countFaces(scope, db, modelId, ids)),
      facesPerDay(scope),
    ])
    return {
      door: { templates: templatesOf(calibration, atDoors) + atDoors.contacts },
      watchList: { templates: templatesOf(calibration, wanted), facesPerDay: perDay },
      search: { templates: templatesOf(calibration, everybody) },
    }
  }

  /** Counted apart for those who may not know of the watch list: what they are told is as if there were none. */
  function measures({ parkId, ...asker }: Scope): Promise<Measures> {
    const scope = seesWatchList({ parkId, ...asker }) ? seeingAll({ parkId }) : seeingNoWatchList(seeingAll({ parkId }))
    const key = `${parkId}/${String(seesWatchList(scope))}`
    const now = platform.clock.now()
    const known = counted.get(key)
    if (known !== undefined && now - known.at < KEPT_MS && now >= known.at) return known.measures
    const made = { at: now, measures: count(scope) }
    counted.set(key, made)
    made.measures.catch(() => {
      if (counted.get(key) === made) counted.delete(key)
    })
    return made.measures
  }

  return {
    measures,
    async of(scope) {
      // Everybody is compared, whoever asks.
      const compared = await measures(seeingAll(scope))
      const promises = promiseOf(promisesOf(scope))
      const scoreFor = (purpose: FacePurpose) => [
        purpose,
        // The own curve is for doors: nobody whose copies move it is to hide from the watch list by that, or from searches.
        scoreKept(
          purpose,
          promises[purpose],
          compared[purpose],
          calibration.recommended[purpose],
          purpose === 'door' ? curveOf(scope) : null,
        ),
      ]
      return Object.fromEntries(FACE_PURPOSES.map(scoreFor)) as Record<FacePurpose, number>
    },
    async shippedDoor(scope) {
      const { door } = await measures(seeingAll(scope))
      return scoreKept('door', promiseOf(promisesOf(scope)).door, door, calibration.recommended.door)
    },
    noteChanged({ parkId }) {
      for (const sees of [true, false]) counted.delete(`${parkId}/${String(sees)}`)
    },
  }
}
