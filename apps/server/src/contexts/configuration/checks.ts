/** Checks of settings beyond their schema: they must be possible, free of contradictions, and based on the current version. */
import { isDeepStrictEqual } from 'node:util'
import { fieldIssuesOf, type FieldIssue } from '@gatehouse/contract'
import { terminalSettings, type SettingName, type SomeSettings, type TerminalSettings } from '@gatehouse/contract/configuration/settings'
import type { Database } from '../../platform/database/database.ts'
import { Conflict, InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { FacesService } from '../faces/index.ts'
import type { SettingRow, StoredSettings } from './data.ts'
import type { SettingFiles } from './files.ts'

export interface CheckNeeds {
  faces: Pick<FacesService, 'policyOf' | 'description'>
  files: Pick<SettingFiles, 'has'>
}

/** Return what is wrong with settings as a whole, by field. */
export function contradictionsOf(settings: TerminalSettings): FieldIssue[] {
  const result = terminalSettings.safeParse(settings)
  return result.success ? [] : fieldIssuesOf(result.error)
}

/** @throws InvalidRequest at the fields of the form */
export function assertConsistent(settings: TerminalSettings): void {
  const issues = contradictionsOf(settings)
  if (issues.length > 0) throw new InvalidRequest(issues)
}

/**
 * Refuse files that do not exist, and a liveness check that no face could pass.
 * @throws InvalidRequest, Refusal 500009
 */
export async function assertPossible(
  scope: Scope,
  db: Database,
  { faces, files }: CheckNeeds,
  { voiceFile, screenSaver, livenessSwitch }: SomeSettings,
): Promise<void> {
  for (const [field, kind, id] of [
    ['voiceFile', 'voice', voiceFile],
    ['screenSaver', 'screenSaver', screenSaver],
  ] as const)
    if (typeof id === 'string' && !(await files.has(scope, db, kind, id))) throw new InvalidRequest([{ path: field, rule: 'unknown' }])
  if (livenessSwitch !== 1) return
  // In either case every person would be refused.
  if (faces.description.livenessModelId === null) throw new InvalidRequest([{ path: 'livenessSwitch', rule: 'engineCannotTell' }])
  if (faces.policyOf(scope).livenessThreshold === null) refuse(500009, 'livenessSwitch')
}

/** Return the fields in which two sets differ, as a form names them. */
function differencesOf(one: StoredSettings, other: StoredSettings): string[] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])] as SettingName[]
  const paths = names.filter((name) => !isDeepStrictEqual(one[name], other[name]))
  return paths.length > 0 ? paths : ['version']
}

/** @param row the stored row; undefined before anything was set, which is version 0 */
export function assertVersion(row: SettingRow | undefined, version: number | undefined, settings: StoredSettings): void {
  if (version !== undefined && version !== (row?.version ?? 0)) throw new Conflict(differencesOf(row?.settings ?? {}, settings))
}

/** Return settings without fields that are undefined. */
export const withoutGaps = <Settings extends object>(settings: Settings): Settings =>
  Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Settings
