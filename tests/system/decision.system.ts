/** Server and terminal come to the same decision, each by the way it gets what it decides on. */
import { expect, test } from 'vitest'
import { decide } from '@gatehouse/access-rules'
import { scenarios, terminalInputOf } from '@gatehouse/access-rules/testing-scenarios'
import type { Manifest, PersonObject } from '@gatehouse/contract/device/protocol'
import { decideAtServer } from '@gatehouse/server/contexts/access/second-verification'
import { manifestOf } from '@gatehouse/server/contexts/access/synchronisation/manifest'
import { ParkRegister, contentWordOf, type PersonFacts } from '@gatehouse/server/contexts/access/synchronisation/register'

const PASSAGES = 100_000
const SEED = 20_261_120
const overTheWire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

test(`both decide ${PASSAGES} passages alike (seed ${SEED})`, () => {
  const counts = { allowed: 0, rejected: 0, pending: 0 }
  for (const passage of scenarios(PASSAGES, SEED)) {
    const { settings, strategies, timeRules, moment } = passage
    if (passage.person === null) continue
    const { strategyIds, ...held } = passage.person
    const facts: PersonFacts = { ...held, workNumber: null, groupId: 'group' }

    // What the server knows: persons and strategies of the park, of which the device is sent its part.
    const register = new ParkRegister('park')
    register.putPersons([facts.id], new Map([[facts.id, { person: facts, faces: [] }]]), moment, new Map())
    const named = strategies.map((strategy) => ({
      ...strategy,
      personIds: strategyIds.includes(strategy.id) ? [facts.id] : [],
      groupIds: new Set<string>(),
      deviceIds: [settings.deviceId],
      deviceGroupIds: new Set<string>(),
    }))
    register.putStrategies(named.map(({ id }) => id), new Map(named.map((strategy) => [strategy.id, strategy])), new Map())
    register.putTimeRules(new Map(timeRules.map((rule) => [rule.id, rule])))
    register.putDevices([{ id: settings.deviceId, code: 'D', name: 'Door', direction: settings.direction, groupId: null }])
    register.assign()
    const audience = register.audienceOf(settings.deviceId)!
    const { manifest } = manifestOf(register, register.device(settings.deviceId)!, settings.zone, settings.threshold)
    const sent: Manifest = overTheWire(manifest)
    const person: PersonObject = overTheWire({ ...held, ...register.entitlementOf(audience.id, facts.id, contentWordOf(facts, [])) })

    const evidence = { ...passage.evidence, secondVerification: undefined }
    const atTerminal = decide(terminalInputOf({ settings: sent.settings, strategies: sent.strategies, timeRules: sent.timeRules, person, moment, evidence }))
    const namesNobody = terminalInputOf({ settings: sent.settings, strategies: [], timeRules: [], person, moment, evidence }).person === null
    // Evidence that names nobody, or somebody else, is nothing the server is asked about.
    if (namesNobody) continue
    const atServer = decideAtServer(manifest, facts, (id) => register.covers(id, facts.id), moment, evidence)
    const { verdict, checks } = atTerminal
    const alike = JSON.stringify([atServer.verdict, atServer.failReason, atServer.checks]) === JSON.stringify([verdict, atTerminal.failReason, checks])
    // Only the one that differs is worth the price of a readable comparison.
    if (!alike) expect({ ...atServer, revision: '', passage }).toEqual({ ...atTerminal, revision: '', passage })
    counts[atTerminal.verdict]++
  }
  // The agreement is worth something only where both outcomes are common.
  expect(counts.allowed).toBeGreaterThan(PASSAGES / 10)
  expect(counts.rejected).toBeGreaterThan(PASSAGES / 10)
})
