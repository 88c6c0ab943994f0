import { describe, expect, test } from 'vitest'
import { decide } from './decide.ts'
import { isEntitled, openingsAt, strategyHours } from './entitlement.ts'
import { scenarios, terminalInputOf } from './testing/scenarios.ts'

const DAY = 86_400_000
const generated = scenarios(5000, 20_261_122).map(terminalInputOf)

describe('who may pass', () => {
  test('agrees with every decision that came as far as the strategies', () => {
    const seen = { open: 0, shut: 0 }
    for (const { device, moment, person, strategies, timeRules, ...rest } of generated) {
      const decision = decide({ device, moment, person, strategies, timeRules, ...rest })
      const openings = openingsAt(strategies, device, moment, timeRules)
      const method = decision.checks.find((check) => check.code === 'method')
      const closed = decision.checks.find((check) => ['strategy', 'strategyBegun', 'timeRule'].includes(check.code) && !check.ok)
      if (closed !== undefined) {
        expect(openings).toEqual([])
        seen.shut++
      }
      if (method !== undefined) {
        expect(openings.some(({ methods }) => methods.includes(method.method ?? 0))).toBe(method.ok)
        seen.open += Number(method.ok)
      }
      const standing = decision.checks.filter(({ code }) => code === 'enabled' || code === 'validity')
      if (person !== null && standing.length === 2) expect(isEntitled(person, moment)).toBe(standing.every(({ ok }) => ok))
    }
    expect(Math.min(seen.open, seen.shut)).toBeGreaterThan(500)
  })

  test('agrees with the hours of the strategies', () => {
    let open = 0
    for (const { device, moment, strategies, timeRules } of generated.slice(0, 1000)) {
      for (const strategy of strategies) {
        const now = openingsAt([strategy], device, moment, timeRules).length > 0
        const hours = strategyHours(strategy, device, timeRules, { from: moment, to: moment + DAY })
        expect(hours[0]?.from === moment).toBe(now)
        open += Number(now)
      }
    }
    expect(open).toBeGreaterThan(300)
  })

  test('says nothing of a strategy that lets contacts alone pass: it opens no door to the persons it covers', () => {
    let open = 0
    for (const { device, moment, strategies, timeRules } of generated.slice(0, 1000)) {
      const span = { from: moment, to: moment + DAY }
      const inPlace = strategies.map((strategy) => ({ ...strategy, authorisedObject: 'contact' as const }))
      expect(openingsAt(inPlace, device, moment, timeRules)).toEqual([])
      for (const strategy of inPlace) expect(strategyHours(strategy, device, timeRules, span)).toEqual([])
      const both = strategies.map((strategy) => ({ ...strategy, authorisedObject: 'both' as const }))
      expect(openingsAt(both, device, moment, timeRules)).toEqual(openingsAt(strategies, device, moment, timeRules))
      open += openingsAt(both, device, moment, timeRules).length
    }
    expect(open).toBeGreaterThan(300)
  })
})
