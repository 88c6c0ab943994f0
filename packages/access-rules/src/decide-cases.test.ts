import { describe, expect, test } from 'vitest'
import { entitlementCases } from './cases/entitlement.ts'
import { facePolicyCases } from './cases/face-policy.ts'
import { factorCases } from './cases/factors.ts'
import { measuredCases } from './cases/measured.ts'
import { methodCases } from './cases/methods.ts'
import type { Case, Expected } from './cases/passage.ts'
import { secondVerificationCases } from './cases/second-verification.ts'
import { timeCases } from './cases/time.ts'
import { CHECKS_MAX_BYTES, decodeChecks, encodeChecks } from './checks.ts'
import { decide, type Decision } from './decide.ts'

const CASES = {
  'access methods and their factors': methodCases,
  'factors, contacts and what cannot be read': factorCases,
  'how strictly faces are compared': facePolicyCases,
  'persons and strategies': entitlementCases,
  'second verification': secondVerificationCases,
  'what the device accepts, and what sensors measure': measuredCases,
  'time rules': timeCases,
}

function outcomeOf({ verdict, failReason, awaits }: Decision): Expected {
  if (verdict !== 'pending') return failReason ?? 'allowed'
  if (awaits?.what === 'measurement') return `waits for a sensor: ${awaits.of.join()}`
  return awaits?.what === 'factor' ? `waits for ${awaits.factors.join()}` : 'waits for the server'
}

describe.each(Object.entries(CASES))('%s', (_, list) => {
  test.each(list.map((each): [string, Case['expected'], Case['input']] => [each.name, each.expected, each.input]))(
    '%s: %s',
    (_name, expected, input) => {
      const decision = decide(input)
      expect(outcomeOf(decision)).toBe(expected)

      const failed = decision.checks.filter(({ ok }) => !ok)
      expect(failed).toEqual(decision.verdict === 'rejected' ? decision.checks.slice(-1) : [])
      const compact = encodeChecks(decision.checks)
      expect(decodeChecks(compact)).toEqual(decision.checks)
      expect(Buffer.byteLength(compact)).toBeLessThanOrEqual(CHECKS_MAX_BYTES)
    },
  )
})

test('there are at least 300 cases, each with a name of its own', () => {
  const names = Object.entries(CASES).flatMap(([group, list]) => list.map(({ name, expected }) => `${group} ${name}: ${expected}`))
  expect(names.length).toBeGreaterThanOrEqual(300)
  expect(new Set(names).size).toBe(names.length)
})
