/** What the settings form starts from, and what it checks beside the schema of its call. */
import { fieldIssuesOf, type FieldIssue, type OutputOf } from '@gatehouse/contract'
import {
  BUILT_IN_SETTINGS,
  SECRET_SETTINGS,
  deviceOwnSettings,
  terminalSettings,
  type VALUELESS_SETTINGS,
  type deviceSettingFields,
} from '@gatehouse/contract/configuration/settings'
import type { Inherited } from './SettingField.tsx'

const NAMES = Object.keys(deviceOwnSettings.shape) as (keyof Settings)[]

/** Settings as answers and requests name them. */
export type Settings = Partial<OutputOf<typeof deviceSettingFields>>
type Valueless = (typeof VALUELESS_SETTINGS)[number]

/** Values of the form: a field that is undefined is not set, unless it is named as one without a value; a secret that is undefined stays as it was. */
export interface SettingValues extends Settings {
  withoutValue: Valueless[]
  consolePassword?: string | null
  wifi?: { name: string; password: string } | null
}

/** What the form starts from. */
export const valuesOf = (answer: Settings & { withoutValue: Valueless[] }): SettingValues => ({
  ...Object.fromEntries(NAMES.flatMap((name) => (answer[name] == null ? [] : [[name, answer[name]]]))),
  withoutValue: answer.withoutValue,
})

/** What is set, null where that is no value. */
export const settingsOf = (values: Settings & { withoutValue: readonly string[] }): Settings =>
  Object.fromEntries(
    NAMES.flatMap((name) => {
      const value = values.withoutValue.includes(name) ? null : (values[name] ?? undefined)
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** Secrets are never kept as a draft. */
export const UNKEPT: readonly string[] = SECRET_SETTINGS

/** @param park what the park sets; absent for the park itself */
export const inheritedFrom = (park: Settings = {}): Inherited => ({
  values: { ...BUILT_IN_SETTINGS, ...park } as Inherited['values'],
  ofPark: new Set(Object.keys(park)),
})

/** Settings that contradict each other, together with those they stand on. */
export function contradictionsIn(
  { withoutValue, ...values }: Settings & { withoutValue?: readonly string[] | null },
  { values: inherited }: Inherited,
): FieldIssue[] {
  // A zone contradicts nothing, and is a number where terminals are told of it.
  const result = terminalSettings.safeParse({
    ...inherited,
    ...settingsOf({ ...values, withoutValue: withoutValue ?? [] }),
    timeZone: null,
  })
  return result.success ? [] : fieldIssuesOf(result.error)
}

/** Where a template or the park has its secrets from: from itself or nowhere. */
export const sourcesOf = (secretsSet: readonly string[]) => ({
  consolePassword: secretsSet.includes('consolePassword') ? ('own' as const) : null,
  wifi: secretsSet.includes('wifi') ? ('own' as const) : null,
})
