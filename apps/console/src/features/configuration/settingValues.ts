/** What the settings form starts from, and what it checks beside the schema of its call. */
import { fieldIssuesOf, type FieldIssue } from '@gatehouse/contract'
import {
  BUILT_IN_SETTINGS,
  SECRET_SETTINGS,
  terminalSettings,
  type SomeSettings,
  type TerminalSettings,
} from '@gatehouse/contract/configuration/settings'
import type { Inherited } from './SettingField.tsx'

/** Values of the form: a field that is undefined is not set; a secret that is undefined stays as it was. */
export interface SettingValues {
  settings: SomeSettings
  consolePassword?: string | null
  wifi?: { name: string; password: string } | null
}

/** Secrets are never kept as a draft. */
export const UNKEPT: readonly string[] = SECRET_SETTINGS

/** @param park what the park sets; absent for the park itself */
export const inheritedFrom = (park: SomeSettings = {}): Inherited => ({
  values: { ...BUILT_IN_SETTINGS, ...park } as TerminalSettings,
  ofPark: new Set(Object.keys(park)),
})

/** Settings that contradict each other, together with those they stand on. */
export function contradictionsIn(settings: object | undefined, { values: inherited }: Inherited): FieldIssue[] {
  const own = Object.entries(settings ?? {}).filter(([, value]) => value !== undefined)
  const result = terminalSettings.safeParse({ ...inherited, ...Object.fromEntries(own) })
  return result.success ? [] : fieldIssuesOf(result.error).map((issue) => ({ ...issue, path: `settings.${issue.path}` }))
}

/** Where a template or the park has its secrets from: from itself or nowhere. */
export const sourcesOf = (secretsSet: readonly string[]) => ({
  consolePassword: secretsSet.includes('consolePassword') ? ('own' as const) : null,
  wifi: secretsSet.includes('wifi') ? ('own' as const) : null,
})
