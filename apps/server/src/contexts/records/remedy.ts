/** Remedies for a refusal: what would have to change, by the failed checks, and who may change it. */
import type { Check } from '@gatehouse/access-rules'
import type { Language } from '@gatehouse/contract'
import { remedies, type RemedyCode } from '@gatehouse/contract/records/remedies'
import { codeToDo } from '@gatehouse/contract/records/remedy-calls'
import type { Session } from '../../platform/session/session.ts'
import type { RecordDependencies } from './dependencies.ts'
import type { RecordWhy } from './record-why.ts'

type Remedies = RecordWhy['remedy']
type Remedy = Omit<Remedies[number], 'who'>
export type RemedyIds = Remedy['ids']

/** Return what can make a check succeed, most likely first. */
function codesOf(check: Check): readonly RemedyCode[] {
  switch (check.code) {
    case 'face':
      return ['registerPerson', 'lowerThreshold', 'addPhoto']
    case 'registered':
      return ['addToStrategy', 'registerPerson']
    case 'runnerUp':
      return ['separateLookAlikes', 'addPhoto']
    case 'enabled':
      return ['enablePerson']
    case 'validity':
      return ['extendValidity']
    case 'strategy':
      return ['addToStrategy']
    case 'strategyBegun':
      return ['beginStrategy']
    case 'timeRule':
      return check.reason === 'missing' ? ['waitForSync'] : ['widenRule', 'addToStrategy']
    case 'method':
      return ['addMethod']
    case 'idPortrait':
    case 'samePerson':
    case 'factorTime':
    case 'devicePassword':
      return ['tryAgain']
    case 'liveness':
    case 'mask':
    case 'helmet':
    case 'temperature':
      return ['tryAgain', 'demandLess']
    case 'secondVerification':
      if (check.restriction) return [check.restriction === 'full' ? 'raiseLimit' : 'correctState']
      // The reason of the server's refusal is in its own settings: the terminal had no objection.
      return check.outcome === 'refused' ? ['waitForSync'] : ['reachServer']
    case 'unknown':
      return []
    default:
      return ['giveCredential']
  }
}

/** Remedies by the server's own reason, where it recognised a person the terminal does not store. */
const CODES_OF_RECOGNISED: Readonly<Record<NonNullable<RecordWhy['recognised']>, RemedyCode>> = {
  noStrategy: 'addToStrategy',
  disabled: 'enablePerson',
  validity: 'extendValidity',
  inactive: 'tryAgain',
}

export interface Refused {
  checks: readonly Check[]
  recognised: RecordWhy['recognised']
  /** The record names a person, who is therefore registered whatever a check says. */
  isRegistered: boolean
  /** The person's own threshold is higher than the door's. */
  raised: boolean
  /** A newer change had not reached the terminal. */
  outdated: boolean
}

/**
 * Return what would have to change for the person to pass, by all failed checks; nothing where none failed.
 * @param ids what the passage was about; null for what no longer exists
 */
export function remedyOf({ checks, recognised, isRegistered, raised, outdated }: Refused, ids: RemedyIds): Remedy[] {
  const failed = checks.filter(({ ok }) => !ok)
  if (failed.length === 0) return []
  const needed = recognised === null ? failed.flatMap(codesOf) : [CODES_OF_RECOGNISED[recognised]]
  const codes = new Set<RemedyCode>([...(outdated ? (['waitForSync'] as const) : []), ...needed])
  if (isRegistered) codes.delete('registerPerson')
  if (!raised) codes.delete('lowerThreshold')
  return [...codes].map((code) => ({ code, permission: remedies[code].permission, path: filled(remedies[code].path, ids), ids }))
}

/** Return each remedy with who may apply it. */
export async function withWhoMay(
  session: Session,
  found: readonly Remedy[],
  whoMay: RecordDependencies['whoMay'],
  language: Language,
): Promise<Remedies> {
  const needed = new Map(found.map((remedy) => [remedy.code, writtenWith(remedy)]))
  const permitted = await whoMay(session, [...new Set([...needed.values()].flatMap((permission) => permission ?? []))], language)
  return found.map((remedy) => ({ ...remedy, who: permitted.get(needed.get(remedy.code) ?? '') ?? null }))
}

/**
 * Return the permission for the call that applies a remedy, not only views it; null where there is no such call, or what it would
 * change no longer exists.
 */
const writtenWith = ({ code, path }: Remedy): string | null => (path === null ? null : codeToDo(code))

/** Return a path with its ids filled in; null where one of them is missing. */
function filled(path: string | null, ids: RemedyIds): string | null {
  if (path === null) return null
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof RemedyIds)
  if (names.some((name) => ids[name] === null)) return null
  return path.replace(/\{(\w+)\}/g, (_, name: keyof RemedyIds) => encodeURIComponent(ids[name]!))
}
