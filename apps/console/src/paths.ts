/** Addresses of the screens, with their parameters filled in. */
import { screenEntries, type ScreenName, type screens } from './screens.ts'

type Addresses = { [Name in ScreenName]: (typeof screens)[Name]['path'] }
/** As they are declared: parameters are in braces. */
export const addresses = Object.fromEntries(screenEntries.map(([name, screen]) => [name, screen.path])) as Addresses

type ParamsOf<Address extends string> = Address extends `${string}{${infer Name}}${infer Rest}` ? Name | ParamsOf<Rest> : never
type Filling<Name extends ScreenName> = [ParamsOf<Addresses[Name]>] extends [never] ? [] : [Record<ParamsOf<Addresses[Name]>, string>]

/** Return the address to navigate to: `path('staffDetails', { id })`. */
export function path<Name extends ScreenName>(name: Name, ...[params]: Filling<Name>): string {
  const values: Record<string, string> = params ?? {}
  return addresses[name].replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(values[key] ?? ''))
}
