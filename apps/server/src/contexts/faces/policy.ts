/** How strictly each park compares faces: its own settings or the defaults, kept in memory, resolved for the model that runs. */
import { chanceAmong, scoreOfPrecision, type FacePurpose, type Precision } from '@gatehouse/contract/faces/precision'
import type { FacePolicy, LivenessMode, facePolicyFields } from '@gatehouse/contract/faces/policy'
import type { DeviceSettings } from '@gatehouse/contract/device/protocol'
import { monitorPrecision } from '@gatehouse/contract/enums/alarms'
import { rateOfScore } from '@gatehouse/contract/score'
import { BUILTIN_ENGINE, falseNonMatchAt, type EngineDescription } from '@gatehouse/face-engine'
import type { z } from 'zod'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database.ts'
import { Conflict, refuse } from '../../platform/refusal.ts'
import type { Scope } from '../../platform/session.ts'
import { countPhotos } from './embedding-data.ts'
import { facePolicyChanged } from './events.ts'
import * as data from './policy-data.ts'
import type { FacesTables } from './schema.ts'

export type FacePolicyFields = z.output<typeof facePolicyFields>

/** What holds in a park now: raw scores, resolved for the model that runs. */
export interface FacePolicyValues {
  door: number
  watchList: number
  search: number
  margin: number
  lookAlikeMargin: number
  photosWanted: number
  liveness: DeviceSettings['liveness']
  /** Lowest score of a living face, whether or not the park asks for one: a single door may. */
  livenessThreshold: number | null
}

export interface PolicyNeeds {
  /** Persons of the park. */
  countPersons(scope: Scope): Promise<number>
}

export interface PolicyService {
  /** @param modelId of the engine that compares; the server's own unless told, and for one whose distances nobody here knows */
  of(scope: Scope, modelId?: string): FacePolicyValues
  read(scope: Scope): Promise<FacePolicy>
  /** @throws Refusal 500009, Conflict where it is not at `version` any more */
  change(scope: Scope, version: number | undefined, fields: FacePolicyFields): Promise<FacePolicy>
  /** Called on each node once its memory has followed a change. */
  onChanged(listener: (scope: Scope) => void): void
  fill(): Promise<void>
  refresh(scope: Scope): Promise<void>
  erase(tx: OpenTransaction, scope: Scope): Promise<void>
}

/** Of a park that never set anything. */
export const DEFAULT_POLICY: data.PolicyRow = {
  doorPrecision: monitorPrecision.standard,
  doorCustom: null,
  watchListPrecision: monitorPrecision.standard,
  watchListCustom: null,
  searchPrecision: monitorPrecision.standard,
  searchCustom: null,
  margin: 5,
  lookAlikeMargin: 10,
  photosWanted: 2,
  livenessMode: 'off',
  livenessThreshold: null,
  version: 0,
}

const PRESETS: readonly Precision[] = [
  monitorPrecision.extremelyStrict,
  monitorPrecision.strict,
  monitorPrecision.standard,
  monitorPrecision.general,
  monitorPrecision.loose,
]

const settingOf = (row: data.PolicyRow): Record<FacePurpose, { precision: Precision; custom: number | null }> => ({
  door: { precision: row.doorPrecision as Precision, custom: row.doorCustom },
  watchList: { precision: row.watchListPrecision as Precision, custom: row.watchListCustom },
  search: { precision: row.searchPrecision as Precision, custom: row.searchCustom },
})

function livenessOf({ livenessMode, livenessThreshold }: data.PolicyRow): DeviceSettings['liveness'] {
  return livenessMode === 'off' ? null : { refuses: livenessMode === 'on', threshold: livenessThreshold }
}

function valuesOf(row: data.PolicyRow, { calibration: { recommended } }: EngineDescription): FacePolicyValues {
  const settings = settingOf(row)
  const score = (purpose: FacePurpose) => scoreOfPrecision(settings[purpose].precision, recommended[purpose], settings[purpose].custom)
  const { margin, lookAlikeMargin, photosWanted } = row
  return {
    door: score('door'),
    watchList: score('watchList'),
    search: score('search'),
    margin,
    lookAlikeMargin,
    photosWanted,
    liveness: livenessOf(row),
    livenessThreshold: row.livenessThreshold,
  }
}

/** A custom score stays what it was while a preset is chosen, so that choosing 6 again finds it. */
function rowOf(fields: FacePolicyFields, known: data.PolicyRow): data.PolicyRow {
  return {
    doorPrecision: fields.door.precision,
    doorCustom: fields.door.custom ?? known.doorCustom,
    watchListPrecision: fields.watchList.precision,
    watchListCustom: fields.watchList.custom ?? known.watchListCustom,
    searchPrecision: fields.search.precision,
    searchCustom: fields.search.custom ?? known.searchCustom,
    margin: fields.margin,
    lookAlikeMargin: fields.lookAlikeMargin,
    photosWanted: fields.photosWanted,
    livenessMode: fields.liveness.mode,
    livenessThreshold: fields.liveness.threshold ?? known.livenessThreshold,
    version: known.version + 1,
  }
}

function assertComplete(row: data.PolicyRow, engine: EngineDescription): void {
  for (const [purpose, { precision, custom }] of Object.entries(settingOf(row)))
    if (precision === monitorPrecision.custom && custom === null) refuse(500009, `${purpose}.custom`)
  if (row.livenessMode !== 'on') return
  if (engine.livenessModelId === null) refuse(500009, 'liveness.mode')
  if (row.livenessThreshold === null) refuse(500009, 'liveness.threshold')
}

/** Names of the fields of the call that two states differ in. */
function differences(one: data.PolicyRow, other: data.PolicyRow): string[] {
  const fieldOf = (name: string) => /^(door|watchList|search|liveness)/.exec(name)?.[0] ?? name
  const names = Object.keys(one).filter(
    (name) => name !== 'version' && one[name as keyof data.PolicyRow] !== other[name as keyof data.PolicyRow],
  )
  return [...new Set(names.map(fieldOf))]
}

/** What the operation log tells of a policy. */
const logged = ({ version: _version, ...settings }: data.PolicyRow): Record<string, unknown> => ({ ...settings })

export function createPolicy(platform: Platform, engine: EngineDescription, { countPersons }: PolicyNeeds): PolicyService {
  const db = platform.db as unknown as Database<FacesTables>
  const { calibration } = engine
  const rows = new Map<string, data.PolicyRow>()
  const resolved = new Map<string, FacePolicyValues>()
  const defaults = valuesOf(DEFAULT_POLICY, engine)
  const listeners: ((scope: Scope) => void)[] = []

  function remember(parkId: string, row: data.PolicyRow | undefined): void {
    if (row === undefined) {
      rows.delete(parkId)
      resolved.delete(parkId)
    } else {
      rows.set(parkId, row)
      resolved.set(parkId, valuesOf(row, engine))
    }
  }

  async function present(scope: Scope, row: data.PolicyRow): Promise<FacePolicy> {
    const [{ compared, wellKnown }, persons] = await Promise.all([
      countPhotos(scope, db, engine.modelId, row.photosWanted),
      countPersons(scope),
    ])
    const settings = settingOf(row)
    const values = valuesOf(row, engine)
    const meaningOf = (score: number) => {
      const falseMatchRate = rateOfScore(score)
      return {
        score,
        falseMatchRate,
        falseNonMatchRate: falseNonMatchAt(calibration, score),
        chanceOfStranger: chanceAmong(falseMatchRate, compared),
      }
    }
    const purposes = (['door', 'watchList', 'search'] as const).map((purpose) => ({
      purpose,
      ...settings[purpose],
      ...meaningOf(values[purpose]),
      presets: PRESETS.map((precision) => ({
        precision,
        ...meaningOf(scoreOfPrecision(precision, calibration.recommended[purpose], null)),
      })),
    }))
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
      templates: compared,
      persons,
      personsWithFew: Math.max(0, persons - wellKnown),
      version,
    }
  }

  return {
    of({ parkId }, modelId = engine.modelId) {
      // A terminal may run another engine: what one model recommends may be more than another can do, and would shut its door.
      if (modelId !== engine.modelId && modelId === BUILTIN_ENGINE.modelId)
        return valuesOf(rows.get(parkId) ?? DEFAULT_POLICY, BUILTIN_ENGINE)
      return resolved.get(parkId) ?? defaults
    },
    async read(scope) {
      return present(scope, (await data.findPolicy(scope, db)) ?? DEFAULT_POLICY)
    },
    async change(scope, version, fields) {
      const saved = await platform.transaction(async (tx: Tx<FacesTables>) => {
        const known = (await data.findPolicy(scope, tx)) ?? DEFAULT_POLICY
        const row = rowOf(fields, known)
        if (version !== undefined && version !== known.version) throw new Conflict(differences(known, row))
        assertComplete(row, engine)
        // Somebody saved between reading and writing.
        if (!(await data.savePolicy(scope, tx, row, platform.clock.now()))) throw new Conflict(differences(known, row))
        platform.audit.note({ entity: 'facePolicy', id: scope.parkId, before: logged(known), after: logged(row) })
        await platform.history.note(tx, scope, 'facePolicy', scope.parkId, {
          ...valuesOf(row, engine),
          // Terminals with the engine that is built in were given this one.
          builtinDoor: valuesOf(row, BUILTIN_ENGINE).door,
          modelId: engine.modelId,
        })
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
      await data.deletePolicy(scope, open as Tx<FacesTables>)
      await platform.history.erase(open, scope, ['facePolicy'])
      await platform.events.announce(open, facePolicyChanged, scope.parkId, {})
    },
  }
}
