/** From the check that refused somebody to what would have to change, and who may change it. */
import type { Check } from '@gatehouse/access-rules'
import type { Language } from '@gatehouse/contract'
import { remedies, type RemedyCode } from '@gatehouse/contract/records/remedies'
import { codeToDo } from '@gatehouse/contract/records/remedy-calls'
import type { Session } from '../../platform/session/session.ts'
import type { RecordDependencies } from './dependencies.ts'
import type { RecordWhy } from './why.ts'

type Remedies = RecordWhy['remedy']
type Remedy = Omit<Remedies[number], 'who'>
export type RemedyIds = Remedy['ids']

/** What each check needs to hold, what is most likely first. */
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
      // Why the server refused, its own settings say: the terminal had nothing against it.
      return check.outcome === 'refused' ? ['waitForSync'] : ['reachServer']
    case 'unknown':
      return []
    default:
      return ['giveCredential']
  }
}

/** What the server's own word needs, where it recognised somebody the terminal does not hold. */
const CODES_OF_RECOGNISED: Readonly<Record<NonNullable<RecordWhy['recognised']>, RemedyCode>> = {
  noStrategy: 'addToStrategy',
  disabled: 'enablePerson',
  validity: 'extendValidity',
  inactive: 'tryAgain',
}

export interface Refused {
  checks: readonly Check[]
  recognised: RecordWhy['recognised']
  /** The record names somebody, who then is registered whatever a check says. */
  known: boolean
  /** A threshold of the person's own asked for more than the door's. */
  raised: boolean
  /** The terminal had not heard of something newer. */
  outdated: boolean
}

/**
 * What would have to change for somebody to pass, by all checks that failed; nothing where none did.
 * @param ids what it was about, as far as it is still there
 */
export function remedyOf({ checks, recognised, known, raised, outdated }: Refused, ids: RemedyIds): Remedy[] {
  const failed = checks.filter(({ ok }) => !ok)
  if (failed.length === 0) return []
  const needed = recognised === null ? failed.flatMap(codesOf) : [CODES_OF_RECOGNISED[recognised]]
  const codes = new Set<RemedyCode>([...(outdated ? (['waitForSync'] as const) : []), ...needed])
  if (known) codes.delete('registerPerson')
  if (!raised) codes.delete('lowerThreshold')
  return [...codes].map((code) => ({ code, permission: remedies[code].permission, path: filled(remedies[code].path, ids), ids }))
}

/** Each with who may do it. */
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

/** What the call needs that does it, and not only looks; null where none does, or nothing is left that it could change. */
const writtenWith = ({ code, path }: Remedy): string | null => (path === null ? null : codeToDo(code))

/** An address with its ids; null where one of them is not there. */
function filled(path: string | null, ids: RemedyIds): string | null {
  if (path === null) return null
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof RemedyIds)
  if (names.some((name) => ids[name] === null)) return null
  return path.replace(/\{(\w+)\}/g, (_, name: keyof RemedyIds) => encodeURIComponent(ids[name]!))
}
