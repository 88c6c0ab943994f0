/** The scores that keep a park's promises: computed from what is currently compared, and again when that changes. */
import { FACE_PURPOSES, type FacePurpose } from '@gatehouse/contract/faces/precision'
import type { OwnCurve } from '@gatehouse/contract/faces/own-curve'
import { scoreKept, type Compared, type FacePromises } from '@gatehouse/contract/faces/promise'
import { joins, type Calibration, type EngineDescription } from '@gatehouse/face-engine'
import type { Platform } from '../../platform/context.ts'
import { seeingAll, seeingNoWatchList, seesWatchList, type Scope } from '../../platform/session/session.ts'
import { countFaces, type CountedFaces } from './embedding-data.ts'

/** What faces of a park are compared with, for each purpose; the door is one that stores everybody. */
export type Measures = Record<FacePurpose, Compared>

export interface Thresholds {
  measures(scope: Scope): Promise<Measures>
  /** Raw scores; they may exceed 100. */
  of(scope: Scope): Promise<Record<FacePurpose, number>>
  /** The score of a search among this many faces that are not the park's own photographs. */
  searchAmong(scope: Scope, templates: number): number
  /** The score that the model's own curve requires at a door of the whole park. */
  shippedDoor(scope: Scope): Promise<number>
  /** Note that photographs of the park changed: what is compared is counted again. */
  noteChanged(scope: Scope): void
}

export interface ThresholdNeeds {
  promisesOf(scope: Scope): FacePromises
  /** Persons of the watch list whom passages are searched for. */
  lookedOutFor(scope: Scope): Promise<string[]>
  /** Mean number of passages a day. */
  facesPerDay(scope: Scope): Promise<number>
  /** How alike the people of the park are; null where it was not measured. */
  curveOf(scope: Scope): OwnCurve | null
}

/** How long counts are cached: passages and changes of the watch list are not announced here. */
const KEPT_MS = 60_000

const promiseOf = (promises: FacePromises): Record<FacePurpose, number> => ({
  door: promises.strangersPerThousand,
  watchList: promises.falseAlarmsPerDay,
  search: promises.wrongPerSearch,
})

/** Return the number of templates: several photographs of a person are one template where the model supports their mean. */
export const templatesOf = (calibration: Calibration, { persons }: Pick<CountedFaces, 'persons'>): number =>
  persons.reduce((sum, { photographs, count }) => sum + count * (joins(calibration, photographs) ? 1 : photographs), 0)

export function createThresholds(
  platform: Platform,
  { modelId, calibration }: EngineDescription,
  { promisesOf, lookedOutFor, facesPerDay, curveOf }: ThresholdNeeds,
): Thresholds {
  const db = platform.db
  const counted = new Map<string, { at: number; measures: Promise<Measures> }>()

  async function count(scope: Scope): Promise<Measures> {
    const [atDoors, everybody, watched, perDay] = await Promise.all([
      // No door stores persons of the watch list.
      countFaces(seeingNoWatchList(scope), db, modelId),
      countFaces(scope, db, modelId),
      lookedOutFor(scope).then((ids) => countFaces(scope, db, modelId, ids)),
      facesPerDay(scope),
    ])
    return {
      door: { templates: templatesOf(calibration, atDoors) + atDoors.contacts },
      watchList: { templates: templatesOf(calibration, watched), facesPerDay: perDay },
      search: { templates: templatesOf(calibration, everybody) },
    }
  }

  /** Return what is compared, counted separately for callers who may not see the watch list: for them it is as if there were none. */
  function measures({ parkId, ...asker }: Scope): Promise<Measures> {
    const scope = seesWatchList({ parkId, ...asker }) ? seeingAll({ parkId }) : seeingNoWatchList(seeingAll({ parkId }))
    const key = `${parkId}/${String(seesWatchList(scope))}`
    const now = platform.clock.now()
    const cached = counted.get(key)
    if (cached !== undefined && now - cached.at < KEPT_MS && now >= cached.at) return cached.measures
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
      // Everybody is compared, whoever calls.
      const compared = await measures(seeingAll(scope))
      const promises = promiseOf(promisesOf(scope))
      const scoreFor = (purpose: FacePurpose) => [
        purpose,
        // The own curve applies only to doors: duplicates that raise it must not hide a person from the watch list or from searches.
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
    searchAmong: (scope, templates) =>
      scoreKept('search', promiseOf(promisesOf(scope)).search, { templates }, calibration.recommended.search),
    async shippedDoor(scope) {
      const { door } = await measures(seeingAll(scope))
      return scoreKept('door', promiseOf(promisesOf(scope)).door, door, calibration.recommended.door)
    },
    noteChanged({ parkId }) {
      for (const sees of [true, false]) counted.delete(`${parkId}/${String(sees)}`)
    },
  }
}
