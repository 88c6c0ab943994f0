/** Compares the contract with the specification, which is beside the repository if there is a copy. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { SERVICE_PREFIX, type Call } from './call.ts'
import { calls } from './calls.ts'
import { enums } from './enums/registry.ts'
import { businessErrorOf, catalogueCodes, clientErrors, deviceConsoleCodes, httpStatuses, loginCode, loginCodes } from './errors.ts'
import * as limits from './limits.ts'
import { shownScore } from './score.ts'
import { PERMISSION_CODES } from './permissions.ts'

const folder = fileURLToPath(new URL('../../../../shared/spec/', import.meta.url))
const present = existsSync(folder)
if (!present) console.warn('Comparison with the specification skipped: ../shared/spec does not stand beside the repository.')
const read = <T>(name: string) => JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8')) as T

interface SpecifiedError {
  family: string
  code: number | string
  clientHandling: string
  http?: number
}
interface SpecifiedConstant {
  name: string
  value: unknown
  unit: string | null
}

interface SpecifiedCall {
  method: string
  service: keyof typeof SERVICE_PREFIX
  path: string
  module: string
  auth: string
  permission: string
}

const numbersOf = (table: object) => Object.keys(table).map(Number)

describe.skipIf(!present)('the errors of the specification', () => {
  const all = present ? read<SpecifiedError[]>('errors') : []
  const codesOf = (family: string) => all.filter((error) => error.family === family).map((error) => error.code)

  it('are all in the catalogue, and no others', () => {
    const business = codesOf('business').filter((code) => Number.isInteger(code))
    expect(business.length).toBeGreaterThan(0)
    expect([...catalogueCodes].sort()).toEqual(business.sort())
    const ours = [loginCode.secondFactorNeeded, loginCode.secondFactorWrong]
    expect(numbersOf(loginCodes).sort()).toEqual([...codesOf('login'), ...ours].sort())
    expect(numbersOf(deviceConsoleCodes).sort()).toEqual(codesOf('device-console').sort())
    expect(Object.keys(clientErrors).sort()).toEqual(codesOf('client').sort())
    expect(numbersOf(httpStatuses)).toEqual(expect.arrayContaining(codesOf('http')))
  })

  it('are handled as the specification says', () => {
    for (const { family, code, clientHandling, http } of all) {
      if (family !== 'business' || typeof code !== 'number' || code === 0) continue
      const error = businessErrorOf(code)!
      expect(error.silent ?? false, `${code} silent`).toBe(clientHandling.includes('silently'))
      expect(error.showServerMessage ?? false, `${code} server message`).toBe(clientHandling.includes('shown as an error toast'))
      expect(error.itemsInBrackets ?? false, `${code} items`).toBe(clientHandling.includes('in brackets'))
      expect(error.endsSession ?? false, `${code} session`).toBe(clientHandling.includes('clear tokens'))
      expect(error.goTo === '/403', `${code} to /403`).toBe(clientHandling.includes('go to /403'))
      expect(error.goTo === '/login?reload=1', `${code} to /login`).toBe(clientHandling.includes('reload=1'))
      if (http !== undefined) expect(error.httpStatus, `${code} status`).toBe(http)
    }
  })
})

describe.skipIf(!present)('the calls of the specification', () => {
  /** Calls without a login: the caller presents nothing, or a client its own secret. */
  const WITHOUT_LOGIN: readonly string[] = ['public', 'basic'] satisfies Call['permission'][]

  it('ask for the permission it names', () => {
    const ours = calls
    const specified = read<SpecifiedCall[]>('calls')
    const pairs = specified.flatMap(({ method, service, path, permission }) => {
      const call = ours.find((one) => one.method === method && one.url === SERVICE_PREFIX[service] + path)
      return call === undefined ? [] : [{ name: `${method} ${call.url}`, permission, asked: call.permission }]
    })
    expect(pairs.length).toBeGreaterThan(200)
    for (const { name, permission, asked } of pairs) expect(WITHOUT_LOGIN.includes(asked) ? 'none' : asked, name).toBe(permission)
  })

  it('about monitoring and alarms (M09) are all there, with method, path, authentication and permission', () => {
    const specified = read<SpecifiedCall[]>('calls').filter(({ module }) => module.startsWith('M09'))
    expect(specified).toHaveLength(32)
    const found = specified.map(({ method, service, path }) => {
      const { permission } = calls.find((call) => call.method === method && call.url === SERVICE_PREFIX[service] + path) ?? {}
      const auth = permission === 'public' ? 'none' : permission === 'basic' ? 'basic' : 'bearer'
      return { method, path, permission, auth }
    })
    expect(found).toEqual(specified.map(({ method, path, permission, auth }) => ({ method, path, permission, auth })))
  })
})

describe.skipIf(!present)('the enums of the specification', () => {
  /** Words of the specification that are numbers here. */
  const numbered: Record<string, Record<string, number>> = {
    alertType: { other: enums.alertType.stranger },
    deviceChannelCount: { single: 1, double: 2, four: 4 },
  }
  /** Values that the specification mentions elsewhere, or that are not in it. */
  const added: Record<string, readonly string[]> = {
    alarmLevel: ['0'],
    // A missing photo is not a failed transfer.
    personSyncStatus: [String(enums.personSyncStatus.photoMissing)],
    permissionCode: PERMISSION_CODES.filter((code) => code.startsWith('own:')),
    permissionModule: ['patrol', 'epidemic', 'meeting', 'park', 'system'],
  }

  it('are all there with their values, and no others', () => {
    const all = read<Record<string, { values: Record<string, string> }>>('enums')
    expect(Object.keys(enums).sort()).toEqual(Object.keys(all).sort())
    for (const [name, { values }] of Object.entries(all)) {
      const expected = Object.keys(values).map((value) => String(numbered[name]?.[value] ?? value))
      const actual = enums[name as keyof typeof enums].values.map(String)
      expect(actual.sort(), name).toEqual([...expected, ...(added[name] ?? [])].sort())
    }
    expect(PERMISSION_CODES.filter((code) => !code.startsWith('own:')).sort()).toEqual(Object.keys(all['permissionCode']!.values).sort())
  })
})

describe.skipIf(!present)('the constants of the specification', () => {
  const MEBIBYTE = 1_048_576
  /** Constants with another notation here, by the value that corresponds to the specification's. */
  const translated: Record<string, unknown> = {
    CSV_ENCODING: limits.CSV_BYTE_ORDER_MARK === '\uFEFF' && 'UTF-8 with BOM',
    PASSWORD_VALIDITY_OPTIONS: limits.PASSWORD_VALIDITY_OPTIONS.map(
      (option) => ({ '3m': 'three months', '6m': 'half a year', '1y': 'one year', forever: 'forever' })[option],
    ),
    ALARM_POPUP_OPTIONS: limits.ALARM_POPUP_OPTIONS.map((stay) => (stay === 0 ? 'none' : stay === -1 ? 'forever' : `${stay} s`)),
    SCORE_TRANSFORM: shownScore(50) === 70.71 && '10 * sqrt(score), rounded to 2 decimals',
    TIME_ZONES: limits.TIME_ZONES.length,
    PREFIX_AS: SERVICE_PREFIX.as,
    PREFIX_BIZ: SERVICE_PREFIX.biz,
    PREFIX_EXPORT: SERVICE_PREFIX.export,
    PREFIX_VISITOR: SERVICE_PREFIX.visitor,
    PREFIX_SHOW: SERVICE_PREFIX.show,
  }
  /** Decided where the specification shows no value. */
  const decided: Record<string, number> = { TOKEN_KEEP_INTERVAL: 600, SUB_ORGANISATION_CAP: 100, IMPORT_PAGE_SIZE: 200 }

  it('are all there with their values', () => {
    const all = read<SpecifiedConstant[]>('constants')
    expect(all.length).toBeGreaterThan(0)
    for (const { name, value, unit } of all) {
      const actual = translated[name] ?? (limits as Record<string, unknown>)[name]
      const expected = value === 'not shown' ? decided[name] : unit === 'MB' ? Number(value) * MEBIBYTE : value
      expect(actual, name).toBeDefined()
      expect(actual, name).toEqual(expected)
    }
  })
})
