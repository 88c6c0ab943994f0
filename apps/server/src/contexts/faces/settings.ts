/**
 * The settings of each park for faces: its own or the defaults, kept in memory. `thresholds.ts` computes the scores that follow
 * from them.
 */
import type { OwnCurve } from '@gatehouse/contract/faces/own-curve'
import { scoreOfPrecision, type FacePurpose, type Precision } from '@gatehouse/contract/faces/precision'
import type { FacePolicy, LivenessMode, facePolicyFields } from '@gatehouse/contract/faces/policy'
import { DEFAULT_PROMISES, PROMISES_OFFERED, mistakesAt, rateKept, scoreKept, type FacePromises } from '@gatehouse/contract/faces/promise'
import type { DeviceSettings } from '@gatehouse/contract/device/protocol-manifest'
import { falseNonMatchAt, joins, ofMean, speaksOf, type EngineDescription } from '@gatehouse/face-engine'
import type { z } from 'zod'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { Conflict, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { countFaces, countWellKnown } from './embedding-data.ts'
import { facePolicyChanged } from './events.ts'
import * as data from './settings-data.ts'
import { templatesOf, type Measures } from './thresholds.ts'

export type FacePolicyFields = z.output<typeof facePolicyFields>

/** The current settings of a park. */
export interface FacePolicyValues {
  promises: FacePromises
  margin: number
  lookAlikeMargin: number
  photosWanted: number
  liveness: DeviceSettings['liveness']
  /** Minimum liveness score, whether or not the park requires liveness: a single door may. */
  livenessThreshold: number | null
}

export interface FaceSettingsNeeds {
  /** Persons of the park. */
  countPersons(scope: Scope): Promise<number>
  /** Counts of what is compared for each purpose. */
  measures(scope: Scope): Promise<Measures>
  /** How alike the people of the park are; null where it was not measured. */
  curveOf(scope: Scope): OwnCurve | null
  /** Number of doors that open for a face alone. */
  doorsByFaceAlone(scope: Scope): number
  /** Ids of the persons that the demo created. */
  demoPersons(scope: Scope): Promise<ReadonlySet<string>>
}

export interface FaceSettings {
  of(scope: Scope): FacePolicyValues
  read(scope: Scope): Promise<FacePolicy>
  /** @throws Refusal 500009, Conflict where the settings are no longer at `version` */
  change(scope: Scope, version: number | undefined, fields: FacePolicyFields): Promise<FacePolicy>
  /** Register a listener that is called on each node once its memory reflects a change. */
  onChanged(listener: (scope: Scope) => void): void
  fill(): Promise<void>
  refresh(scope: Scope): Promise<void>
  erase(tx: Transaction, scope: Scope): Promise<void>
}

/** The settings of a park that never set any. */
export const DEFAULT_POLICY: data.PolicyRow = {
  doorPromise: DEFAULT_PROMISES.strangersPerThousand,
  watchListPromise: DEFAULT_PROMISES.falseAlarmsPerDay,
  searchPromise: DEFAULT_PROMISES.wrongPerSearch,
  doorPrecision: null,
  doorCustom: null,
  watchListPrecision: null,
  watchListCustom: null,
  searchPrecision: null,
  searchCustom: null,
  margin: 5,
  lookAlikeMargin: 10,
  photosWanted: 2,
  livenessMode: 'off',
  livenessThreshold: null,
  version: 0,
}

const PURPOSES = ['door', 'watchList', 'search'] as const

const promisedFor = (row: data.PolicyRow, purpose: FacePurpose): number => row[`${purpose}Promise`]

/** Return the score for a purpose from before there were promises; null once promises were set. */
function formerScore(row: data.PolicyRow, purpose: FacePurpose, { calibration }: EngineDescription): number | null {
  const precision = row[`${purpose}Precision`]
  return precision === null ? null : scoreOfPrecision(precision as Precision, calibration.recommended[purpose], row[`${purpose}Custom`])
}

function livenessOf({ livenessMode, livenessThreshold }: data.PolicyRow): DeviceSettings['liveness'] {
  return livenessMode === 'off' ? null : { refuses: livenessMode === 'on', threshold: livenessThreshold }
}

function valuesOf(row: data.PolicyRow): FacePolicyValues {
  const { margin, lookAlikeMargin, photosWanted } = row
  return {
    promises: { strangersPerThousand: row.doorPromise, falseAlarmsPerDay: row.watchListPromise, wrongPerSearch: row.searchPromise },
    margin,
    lookAlikeMargin,
    photosWanted,
    liveness: livenessOf(row),
    livenessThreshold: row.livenessThreshold,
  }
}

/** Return the row to save: saving promises clears the former presets. */
function rowOf(fields: FacePolicyFields, current: data.PolicyRow): data.PolicyRow {
  return {
    doorPromise: fields.strangersPerThousand,
    watchListPromise: fields.falseAlarmsPerDay,
    searchPromise: fields.wrongPerSearch,
    doorPrecision: null,
    doorCustom: null,
    watchListPrecision: null,
    watchListCustom: null,
    searchPrecision: null,
    searchCustom: null,
    margin: fields.margin,
    lookAlikeMargin: fields.lookAlikeMargin,
    photosWanted: fields.photosWanted,
    livenessMode: fields.liveness.mode,
    livenessThreshold: fields.liveness.threshold ?? current.livenessThreshold,
    version: current.version + 1,
  }
}

function assertComplete(row: data.PolicyRow, engine: EngineDescription): void {
  if (row.livenessMode !== 'on') return
  if (engine.livenessModelId === null) refuse(500009, 'liveness.mode')
  if (row.livenessThreshold === null) refuse(500009, 'liveness.threshold')
}

const FIELDS: Partial<Record<keyof data.PolicyRow, keyof FacePolicyFields>> = {
  doorPromise: 'strangersPerThousand',
  watchListPromise: 'falseAlarmsPerDay',
  searchPromise: 'wrongPerSearch',
  margin: 'margin',
  lookAlikeMargin: 'lookAlikeMargin',
  photosWanted: 'photosWanted',
  livenessMode: 'liveness',
  livenessThreshold: 'liveness',
}

/** Return the names of the call's fields in which two rows differ. */
function differences(one: data.PolicyRow, other: data.PolicyRow): string[] {
  const columns = Object.keys(FIELDS) as (keyof data.PolicyRow)[]
  return [...new Set(columns.flatMap((column) => (one[column] === other[column] ? [] : FIELDS[column]!)))]
}

/** The settings as the operation log shows them. */
const logged = ({ version: _version, ...settings }: data.PolicyRow): Record<string, unknown> => ({ ...settings })

export function createFaceSettings(
  platform: Platform,
  engine: EngineDescription,
  { countPersons, measures, curveOf, doorsByFaceAlone, demoPersons }: FaceSettingsNeeds,
): FaceSettings {
  const db = platform.db
  const { calibration } = engine
  const kept = new Map<string, FacePolicyValues>()
  const defaults = valuesOf(DEFAULT_POLICY)
  const listeners: ((scope: Scope) => void)[] = []

  function remember(parkId: string, row: data.PolicyRow | undefined): void {
    if (row === undefined) kept.delete(parkId)
    else kept.set(parkId, valuesOf(row))
  }

  async function present(scope: Scope, row: data.PolicyRow): Promise<FacePolicy> {
    const [compared, drawn, wellKnown, persons] = await Promise.all([
      measures(scope),
      demoPersons(scope).then((ids) => countFaces(scope, db, engine.modelId, [...ids])),
      countWellKnown(scope, db, row.photosWanted),
      countPersons(scope),
    ])
    const purposes = PURPOSES.map((purpose) => {
      const meaningOf = (promise: number) => {
        const purposeArguments = [purpose, promise, compared[purpose], calibration.recommended[purpose]] as const
        const falseMatchRate = rateKept(...purposeArguments)
        const score = scoreKept(...purposeArguments, purpose === 'door' ? curveOf(scope) : null)
        return {
          promise,
          score,
          falseMatchRate,
          falseNonMatchRate: falseNonMatchAt(calibration, score),
          falseNonMatchRateOfTwo: joins(calibration, 2) ? falseNonMatchAt(ofMean(calibration, 2), score) : null,
          supported: speaksOf(calibration, falseMatchRate),
        }
      }
      const score = formerScore(row, purpose, engine)
      return {
        purpose,
        templates: compared[purpose].templates,
        facesPerDay: compared[purpose].facesPerDay ?? null,
        loosest: calibration.recommended[purpose],
        ...meaningOf(promisedFor(row, purpose)),
        offers: PROMISES_OFFERED[purpose].map(meaningOf),
        former:
          score === null
            ? null
            : { score, mistakes: mistakesAt(purpose, score, compared[purpose]), falseNonMatchRate: falseNonMatchAt(calibration, score) },
      }
    })
    const { margin, lookAlikeMargin, photosWanted, version } = row
    return {
      purposes,
      margin,
      lookAlikeMargin,
      photosWanted,
      liveness: { mode: row.livenessMode as LivenessMode, threshold: row.livenessThreshold, available: engine.livenessModelId !== null },
      modelId: engine.modelId,
      measured: calibration.measured,
      source: calibration.source,
      doorsByFaceAlone: doorsByFaceAlone(scope),
      drawnOnly: drawn.persons.length > 0 && templatesOf(calibration, drawn) === compared.door.templates,
      persons,
      personsWithFew: Math.max(0, persons - wellKnown),
      curve: curveOf(scope),
      version,
    }
  }

  return {
    of: ({ parkId }) => kept.get(parkId) ?? defaults,
    async read(scope) {
      return present(scope, (await data.findPolicy(scope, db)) ?? DEFAULT_POLICY)
    },
    async change(scope, version, fields) {
      const saved = await platform.transaction(async (tx) => {
        const current = (await data.findPolicy(scope, tx)) ?? DEFAULT_POLICY
        const row = rowOf(fields, current)
        if (version !== undefined && version !== current.version) throw new Conflict(differences(current, row))
        assertComplete(row, engine)
        // Another user saved between reading and writing.
        if (!(await data.savePolicy(scope, tx, row, platform.clock.now()))) throw new Conflict(differences(current, row))
        platform.audit.note({ entity: 'facePolicy', id: scope.parkId, before: logged(current), after: logged(row) })
        await platform.history.note(tx, scope, 'facePolicy', scope.parkId, { ...valuesOf(row), modelId: engine.modelId })
        await platform.events.announce(tx, facePolicyChanged, scope.parkId, {})
        return row
      })
      remember(scope.parkId, saved)
      return present(scope, saved)
    },
    onChanged: (listener) => void listeners.push(listener),
    async fill() {
      for (const { parkId, ...row } of await data.readPoliciesUnscoped(db)) remember(parkId, row)
    },
    async refresh(scope) {
      remember(scope.parkId, await data.findPolicy(scope, db))
      for (const listener of listeners) listener(scope)
    },
    async erase(open, scope) {
      await data.deletePolicy(scope, open)
      await platform.history.erase(open, scope, ['facePolicy'])
      await platform.events.announce(open, facePolicyChanged, scope.parkId, {})
    },
  }
}
