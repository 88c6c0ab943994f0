/** Initial values of the settings form, and its checks beside the schema of the call. */
import { fieldIssuesOf, type FieldIssue, type OutputOf } from '@gatehouse/contract'
import {
  BUILT_IN_SETTINGS,
  SECRET_SETTINGS,
  deviceOwnSettings,
  terminalSettings,
  type VALUELESS_SETTINGS,
  type deviceSettingFields,
} from '@gatehouse/contract/configuration/settings'
import type { FieldName } from './settingFields.ts'

const NAMES = Object.keys(deviceOwnSettings.shape) as (keyof Settings)[]

/** Settings under their names in answers and requests. */
export type Settings = Partial<OutputOf<typeof deviceSettingFields>>
type Valueless = (typeof VALUELESS_SETTINGS)[number]

/**
 * Values of the form. An undefined field is not set, unless `withoutValue` names it; an undefined secret keeps what is stored.
 */
export interface SettingValues extends Settings {
  withoutValue: Valueless[]
  consolePassword?: string | null
  wifi?: { name: string; password: string } | null
}

/** Values that apply where the form sets none, and where they come from. */
export interface Inherited {
  values: Readonly<Record<FieldName, unknown>>
  /** Fields that the park sets; empty in the form of the park itself. */
  ofPark: ReadonlySet<string>
}

/** Return the initial values of the form. */
export const valuesOf = (answer: Settings & { withoutValue: Valueless[] }): SettingValues => ({
  ...Object.fromEntries(NAMES.flatMap((name) => (answer[name] == null ? [] : [[name, answer[name]]]))),
  withoutValue: answer.withoutValue,
})

/** Return the fields that are set; null stands for "without a value". */
export const settingsOf = (values: Settings & { withoutValue: readonly string[] }): Settings =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = values.withoutValue.includes(name) ? null : (values[name] ?? undefined)
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** Secrets are never kept as a draft. */
export const NOT_IN_DRAFTS: readonly string[] = SECRET_SETTINGS

/** Return the inherited values. @param park settings of the park; absent for the park itself */
export const inheritedFrom = (park: Settings = {}): Inherited => ({
  values: { ...BUILT_IN_SETTINGS, ...park } as Inherited['values'],
  ofPark: new Set(Object.keys(park)),
})

/** Return the contradictions among settings, inherited ones included. */
export function contradictionsIn(
  { withoutValue, ...values }: Settings & { withoutValue?: readonly string[] | null },
  { values: inherited }: Inherited,
): FieldIssue[] {
  // A time zone contradicts nothing, and is a number in the settings that terminals get.
  const result = terminalSettings.safeParse({
    ...inherited,
    ...settingsOf({ ...values, withoutValue: withoutValue ?? [] }),
    timeZone: null,
  })
  return result.success ? [] : fieldIssuesOf(result.error)
}

/** Return the sources of the secrets of a template or the park, which inherits none. */
export const sourcesOf = (secretsSet: readonly string[]) => ({
  consolePassword: secretsSet.includes('consolePassword') ? ('own' as const) : null,
  wifi: secretsSet.includes('wifi') ? ('own' as const) : null,
})
