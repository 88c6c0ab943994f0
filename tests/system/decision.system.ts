/** Server and terminal come to the same decision, each with the data it has. */
import { expect, test } from 'vitest'
import { decide, thresholdAt } from '@gatehouse/access-rules'
import { scenarios, terminalInputOf } from '@gatehouse/access-rules/testing/scenarios'
import { terminalSettingValues } from '@gatehouse/contract/configuration/settings'
import type { Manifest } from '@gatehouse/contract/device/protocol-manifest'
import type { PersonObject } from '@gatehouse/contract/device/protocol-persons'
import { failReason } from '@gatehouse/contract/enums'
import { DEFAULT_PROMISES } from '@gatehouse/contract/faces/promise'
import { decideAtServer } from '@gatehouse/server/contexts/records/second-verification'
import type { FacePolicyValues } from '@gatehouse/server/contexts/faces/index'
import { comparedAt, manifestOf } from '@gatehouse/server/contexts/synchronisation/manifest'
import { ParkRegister } from '@gatehouse/server/contexts/synchronisation/register'
import type { FaceFacts, PersonFacts } from '@gatehouse/server/contexts/synchronisation/register-facts'
import { contentOf } from '@gatehouse/server/contexts/synchronisation/register-versions'
import { depth } from './depth.ts'

/** The usual passages are the first ones of a soak test. Each outcome occurs more than fifty times among them. */
const PASSAGES = depth({ usual: 15_000, soak: 100_000 })
const SEED = 20_261_120
/** Outcomes of passages whose evidence names a person: null unless refused. */
const OUTCOMES = new Set<number | null>([
  null,
  failReason.faceVerifyFailed,
  failReason.icCard,
  failReason.personId,
  failReason.qrCode,
  failReason.outsidePassageTime,
  failReason.verificationTimedOut,
  failReason.livenessCheckFailed,
  failReason.noAccessStrategy,
  failReason.handprintFailed,
  failReason.passwordFailed,
  failReason.unknown,
  failReason.substitute,
  failReason.personReturned,
])
const overTheWire = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

test(`both decide ${PASSAGES} passages alike (seed ${SEED})`, () => {
  const counts = { allowed: 0, rejected: 0, pending: 0 }
  const outcomes = new Set<number | null>()
  let pictures = 0
  let promised = 0
  let looserThanPromised = 0
  for (const passage of scenarios(PASSAGES, SEED)) {
    const { settings, strategies, timeRules, moment } = passage
    if (passage.person === null) continue
    const { strategyIds, faceThreshold, faceThresholdLoosens, lookAlikes, ...stored } = passage.person
    const facts: PersonFacts = { ...stored, workNumber: null, groupId: 'group' }
    const faceIds = Array.from({ length: passage.compared.templates }, (_, at) => `face-${at}`)
    const loosens = faceThresholdLoosens === true
    const compared: FaceFacts = { faceIds, threshold: faceThreshold, loosens, lookAlikes }
    const { threshold, promise, margin, lookAlikeMargin, liveness } = settings
    const policy: FacePolicyValues = {
      promises: { ...DEFAULT_PROMISES, ...promise },
      margin,
      lookAlikeMargin,
      photosWanted: 1,
      liveness,
      livenessThreshold: liveness?.threshold ?? null,
    }

    // The server's data: persons and strategies of the park, of which the device receives its part.
    const register = new ParkRegister('park')
    register.putPersons([facts.id], new Map([[facts.id, { person: facts, faces: compared, contacts: [] }]]), moment, new Map())
    const named = strategies.map((strategy) => ({
      ...strategy,
      personIds: strategyIds.includes(strategy.id) ? [facts.id] : [],
      groupIds: new Set<string>(),
      deviceIds: [settings.deviceId],
      deviceGroupIds: new Set<string>(),
    }))
    register.putStrategies(
      named.map(({ id }) => id),
      new Map(named.map((strategy) => [strategy.id, strategy])),
      new Map(),
    )
    register.putTimeRules(new Map(timeRules.map((rule) => [rule.id, rule])))
    // Without a promise the door has a threshold of its own.
    const configuration = promise === undefined ? terminalSettingValues.parse({ threshold }) : null
    const door = { id: settings.deviceId, code: 'D', name: 'Door', direction: settings.direction, groupId: null, released: true }
    register.putDevices([{ ...door, configuration }])
    register.assign()
    const audience = register.audienceOf(settings.deviceId)!
    const { loosest } = passage.compared
    const comparing = { loosest, joins: (photographs: number) => photographs === 1, curveOf: () => null }
    const { manifest } = manifestOf(register, register.device(settings.deviceId)!, settings.zone, policy, comparing)
    const sent: Manifest = overTheWire(manifest)
    const person: PersonObject = overTheWire({
      ...stored,
      faceThreshold,
      ...(loosens && { faceThresholdLoosens }),
      lookAlikes,
      ...register.entitlementOf(audience.id, facts.id, contentOf(facts, compared, [])),
    })

    // The terminal does not store persons whom no strategy covers.
    const storedThere = { templates: person.strategyIds.length > 0 ? faceIds.length : 0, loosest }
    // A terminal of a former version uses the threshold alone.
    const { promise: _promise, ...former } = sent.settings
    if (thresholdAt(former, storedThere) < thresholdAt(sent.settings, storedThere)) looserThanPromised++

    const evidence = { ...passage.evidence, secondVerification: undefined }
    const { strategies: sentStrategies, timeRules: sentRules } = sent
    const terminalDecides = (change: Partial<typeof sent.settings>) =>
      decide(
        terminalInputOf({
          settings: { ...sent.settings, ...change },
          strategies: sentStrategies,
          timeRules: sentRules,
          person,
          moment,
          evidence,
          compared: storedThere,
        }),
      )
    // Only the terminal can check for a live face: it does not ask the server about a picture that is held up.
    const atTerminal = terminalDecides({ liveness: null })
    const whole = liveness === null ? atTerminal : terminalDecides({})
    if (whole.failReason === failReason.livenessCheckFailed) pictures++
    else if (whole.verdict !== atTerminal.verdict || whole.failReason !== atTerminal.failReason) expect(whole).toEqual(atTerminal)
    const namesNobody =
      terminalInputOf({ settings: sent.settings, strategies: [], timeRules: [], person, moment, evidence, compared: storedThere })
        .person === null
    // The server is not asked about evidence that identifies no person, or another one.
    if (namesNobody) continue
    const atServer = decideAtServer(
      manifest,
      { ...facts, faceThreshold, faceThresholdLoosens: loosens, lookAlikes },
      (id) => register.covers(id, facts.id),
      moment,
      evidence,
      comparedAt(register, audience.id, comparing),
    )
    const { verdict, checks } = atTerminal
    if (checks.some((check) => check.code === 'face' && check.templates !== undefined)) promised++
    const alike =
      JSON.stringify([atServer.verdict, atServer.failReason, atServer.checks]) === JSON.stringify([verdict, atTerminal.failReason, checks])
    // A readable comparison is expensive: it is made only for decisions that differ.
    if (!alike) expect({ ...atServer, revision: '', passage }).toEqual({ ...atTerminal, revision: '', passage })
    counts[atTerminal.verdict]++
    outcomes.add(whole.failReason)
  }
  expect(outcomes).toEqual(OUTCOMES)
  // The agreement is significant only where both outcomes are common.
  expect(counts.allowed).toBeGreaterThan(PASSAGES / 10)
  expect(counts.rejected).toBeGreaterThan(PASSAGES / 10)
  expect(pictures).toBeGreaterThan(PASSAGES / 100)
  expect(promised).toBeGreaterThan(PASSAGES / 10)
  expect(looserThanPromised).toBe(0)
})
