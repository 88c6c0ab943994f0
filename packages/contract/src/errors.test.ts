import { describe, expect, it } from 'vitest'
import {
  businessCodes,
  businessErrorOf,
  catalogueCodes,
  code,
  deviceConsoleCode,
  deviceConsoleCodes,
  httpStatus,
  httpStatuses,
  loginCode,
  loginCodes,
} from './errors.ts'

describe('the error catalogue', () => {
  it('names every code once within its family, and finds it by that name', () => {
    for (const [table, byName] of [
      [businessCodes, code],
      [httpStatuses, httpStatus],
      [loginCodes, loginCode],
      [deviceConsoleCodes, deviceConsoleCode],
    ] as const) {
      for (const [number, { name }] of Object.entries(table)) expect((byName as Record<string, number>)[name]).toBe(Number(number))
      expect(Object.keys(byName)).toHaveLength(Object.keys(table).length)
    }
  })

  it('keeps the families apart where they share a number', () => {
    expect(loginCode.accountDisabled).toBe(901)
    expect(httpStatus.userDisabled).toBe(901)
    expect(businessErrorOf(901)).toBeUndefined()
    expect(businessErrorOf(404)).toBeUndefined()
  })

  it('counts success as a code of the catalogue and never as a refusal', () => {
    expect(catalogueCodes).toContain(0)
    expect(businessErrorOf(0)).toBeUndefined()
    expect(new Set(catalogueCodes).size).toBe(catalogueCodes.length)
  })

  it('ends the session only with an answer of HTTP 401', () => {
    const ending = catalogueCodes.filter((number) => businessErrorOf(number)?.endsSession)
    expect(ending).toEqual([code.tokenExpired, code.sessionInvalid])
    for (const number of ending) expect(businessErrorOf(number)?.httpStatus).toBe(401)
  })
})
