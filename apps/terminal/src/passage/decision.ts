/**
 * From inputs to a verdict: search the holdings, decide by the rules, and ask the server if it has the last word or if a face is unknown
 * here.
 */
import {
  accessDeviceOf,
  decide,
  factorsOf,
  personNamed,
  promptsOf,
  verifyTypeOf,
  type AccessDevice,
  type Check,
  type Decision,
  type DecisionInput,
  type Evidence,
  type Factor,
  type Measured,
  type SecondVerification,
} from '@gatehouse/access-rules'
import { failReason } from '@gatehouse/contract/enums'
import type { DeviceSettings } from '@gatehouse/contract/device/protocol-manifest'
import { recordedScore } from '@gatehouse/contract/score'
import type { EngineDescription } from '@gatehouse/face-engine'
import type { StoredPerson, SearchableHoldings } from '../store/holdings.ts'
import type { ServerClient } from '../device/server.ts'
import type { Shown } from './inputs.ts'
import { createReader, type Reader, type Reading } from './readings.ts'
import { createServerDecision } from './server-decision.ts'
import { createVisitorPasses, type VisitorPasses } from './visitor-passes.ts'

/** Inputs or measurements that are awaited, up to an instant in epoch milliseconds. */
export interface Awaiting {
  factors: readonly Factor[]
  until: number
}

export interface Outcome {
  /** `pending`: the inputs in `awaits` are missing. */
  verdict: 'allowed' | 'rejected' | 'pending'
  failReason: number | null
  awaits: Awaiting | null
  personId: string | null
  personName: string
  /** The contact who came in the person's place, with the name stored here; null and empty if the person came. */
  contactId: string | null
  contactName: string
  /** Work number of the person, if they are stored here. */
  workNumber: string
  /**
   * Score 0..100 of the compared face, rounded for record and display; the check has the exact value. Null if no face was compared, or
   * nobody is stored.
   */
  score: number | null
  checks: Check[]
  /** Revision of the settings the decision is based on. */
  revision: string
  /** Value of `verifyType`, or 0. */
  verifyType: number
  /** Things an admitted person is asked to put on. */
  prompts: ('mask' | 'helmet')[]
}

export interface Decider extends Pick<Reader, 'knowsPassword' | 'isRegistered'> {
  /**
   * @param moment epoch milliseconds of the decision
   * @throws RangeError when the settings name a zone this machine does not know
   */
  decide(shown: readonly Shown[], settings: DeviceSettings, moment: number, measured?: Measured): Promise<Outcome>
  /** Return whether a face alone can start a passage here. It is also true if no input can, so that a person who comes is seen. */
  takesFaces(settings: DeviceSettings): boolean
  /** Return whether a method with a QR code is accepted here. */
  takesCodes(settings: DeviceSettings): boolean
  /** Return the scores a face must reach at present; they follow the stored faces if the settings carry a promise. */
  thresholds(settings: DeviceSettings): AccessDevice['thresholds']
}

export interface DeciderOptions {
  holdings: SearchableHoldings
  /** The terminal's engine; its calibration gives distances their meaning. */
  engine: Pick<EngineDescription, 'modelId' | 'calibration'>
  client: ServerClient
  online: () => boolean
  /** Return whether a text is the password of this door. */
  isDevicePassword?: (password: string) => boolean
  /** Passes of visitors; default: those of the holdings, of which the used ones are not stored. */
  passes?: VisitorPasses
  /** Milliseconds the server has to identify a face while somebody waits at the door. */
  identifyWithin?: number
}

/** Create a decider, which decides by what the terminal stores at that moment. */
export function createDecider({
  holdings,
  engine,
  client,
  online,
  isDevicePassword = () => false,
  passes = createVisitorPasses({ holdings, used: NONE_USED, log: () => {} }),
  identifyWithin = 300,
}: DeciderOptions): Decider {
  const { modelId, calibration } = engine
  const server = createServerDecision({ client, online, modelId, identifyWithin })
  const reader = createReader({ holdings, engine, isDevicePassword, passes })

  /** Return the device's rules at this moment; they follow the stored persons. */
  const deviceNow = (settings: DeviceSettings): AccessDevice =>
    accessDeviceOf(settings, { templates: holdings.faces(), loosest: calibration.recommended.door })

  /** Return the methods that the strategies here allow and the device accepts. */
  function methodsOf({ methods: accepted = [] }: AccessDevice): number[] {
    const strategyMethods = holdings.strategies().flatMap(({ methods }) => methods)
    return [...new Set(strategyMethods)].filter((method) => accepted.length === 0 || accepted.includes(method))
  }

  /** Decide each reading on its own. */
  function decideReadings(all: readonly Shown[], device: AccessDevice, moment: number, measured: Measured): Decided[] {
    const methods = methodsOf(device)
    return reader.readings(all, device.thresholds.face).map(({ evidence: shown, score, isNearest }) => {
      const evidence: Evidence = { ...shown, measured }
      // A face the settings do not accept may still be nearest to a person stored here, who is looked up all the same.
      const personId = personNamed(evidence, device, holdings.person) ?? evidence.face?.personId ?? null
      const person = (personId === null ? null : holdings.person(personId)) ?? null
      const isAnonymous = Object.keys(shown).join() === 'devicePassword'
      const strategies = person ? holdings.strategiesOf(person.id) : isAnonymous ? holdings.strategies() : []
      const input = { revision: holdings.revision(), device, moment, person, strategies, timeRules: holdings.timeRules() }
      return {
        input,
        evidence,
        person,
        score,
        decision: decide({ ...input, evidence }),
        isOfMethod: methods.some((method) => isPartOf(shown, factorsOf(method))),
        isNearest,
      }
    })
  }

  /**
   * Ask the server about each person in turn, until it admits one or does not answer: a face it does not admit for one person may be
   * admitted for another.
   */
  async function confirmAll(decided: readonly Decided[], moment: number, passId: string | null): Promise<Decided[]> {
    const first = bestOf(decided).decision.awaits
    if (first?.what !== 'secondVerification') return [...decided]
    const after: Decided[] = []
    let answer: SecondVerification | null = null
    let isLetIn = false
    for (const each of decided) {
      const { decision, input, person, evidence, score } = each
      const { awaits } = decision
      if (isLetIn || awaits?.what !== 'secondVerification' || awaits.method !== first.method || person === null) continue
      if (answer === null || answer.outcome === 'refused')
        answer = await server.verify({ personId: person.id, contactId: decision.contactId, passId }, awaits, moment, score)
      const last = decide({ ...input, evidence: { ...evidence, secondVerification: answer } })
      isLetIn = last.verdict === 'allowed'
      after.push({ ...each, decision: last })
    }
    return after
  }

  return {
    knowsPassword: reader.knowsPassword,
    isRegistered: reader.isRegistered,
    thresholds: (settings) => deviceNow(settings).thresholds,
    takesFaces(settings) {
      const methods = methodsOf(deviceNow(settings))
      return methods.length === 0 || methods.some((method) => factorsOf(method).includes('face'))
    },
    takesCodes: (settings) => methodsOf(deviceNow(settings)).some((method) => factorsOf(method).includes('qrCode')),
    async decide(shown, settings, moment, measured = {}) {
      const pass = reader.passAmong(shown)
      const isForOneUse = pass?.oneUse === true
      const device = isForOneUse && online() ? askingOnce(deviceNow(settings)) : deviceNow(settings)
      const best = bestOf(await confirmAll(decideReadings(shown, device, moment, measured), moment, isForOneUse ? pass.id : null))
      const decided = outcomeOf(best, measured)
      // Written before the door opens: after a power failure the pass must not admit again.
      if (isForOneUse && decided.verdict === 'allowed') passes.noteUse(pass)
      const [only] = shown
      if (decided.failReason !== failReason.notRegistered || shown.length !== 1 || only?.input.kind !== 'face' || !online()) return decided
      if (isBelow(best.score, settings.configuration?.lowThreshold ?? null)) return decided

      const identified = await server.identify(only.input.face.embedding)
      // About a person stored here the server knows no more than the terminal: the face misses this person's threshold.
      if (!identified || (identified.personId !== null && identified.personId === best.evidence.face?.personId)) return decided
      return {
        ...decided,
        failReason: identified.failReason,
        personId: identified.personId,
        personName: identified.personName,
        contactId: null,
        contactName: '',
        workNumber: '',
        score: recorded(identified.score ?? best.score),
      }
    },
  }
}

function outcomeOf({ input, evidence, person, score, decision }: Decided, measured: Measured): Outcome {
  const { personId, contactId, checks, revision, awaits } = decision
  return {
    verdict: decision.verdict,
    failReason: decision.failReason,
    awaits:
      awaits === null || awaits.what === 'secondVerification'
        ? null
        : { factors: awaits.what === 'factor' ? awaits.factors : [], until: awaits.until },
    personId,
    personName: personId === null ? '' : (person?.name ?? ''),
    contactId,
    contactName: person?.contacts?.find(({ id }) => id === contactId)?.name ?? '',
    workNumber: personId === null ? '' : (person?.workNumber ?? ''),
    score: recorded(score),
    checks,
    revision,
    verifyType: verifyTypeOf(evidence),
    prompts: decision.verdict === 'allowed' ? promptsOf(input.device, measured) : [],
  }
}

/** Milliseconds the server has to say whether a pass for one use was used elsewhere. */
const PASS_ASKED_WITHIN = 2_000
const NONE_USED = { has: () => false, add: () => {} }

/** Return the rules by which the server is asked about a pass for one use. A server that is away refuses nobody: passes work without it. */
const askingOnce = (device: AccessDevice): AccessDevice => ({
  ...device,
  secondVerification: device.secondVerification ?? { timeoutMs: PASS_ASKED_WITHIN, offline: 'allow' },
})

const recorded = (score: number | null): number | null => (score === null ? null : recordedScore(score))

/** Whether a score is below the low threshold. The server is not asked about a face so unlike everybody's. */
const isBelow = (score: number | null, lowThreshold: number | null) => lowThreshold !== null && (score ?? 0) < lowThreshold

const isPartOf = (evidence: Evidence, factors: readonly Factor[]) =>
  Object.keys(evidence).every((factor) => factors.includes(factor as Factor))

/** A reading with the decision on it. */
interface Decided extends Omit<Reading, 'evidence'> {
  input: Omit<DecisionInput, 'evidence'>
  evidence: Evidence
  person: StoredPerson | null
  decision: Decision
  isOfMethod: boolean
}

/**
 * Return the reading that counts: one that admits, otherwise a pending one, otherwise one that is part of an accepted method. Of equals it
 * is the first, and of several persons the face may belong to, the nearest.
 */
const bestOf = (decided: readonly Decided[]): Decided => decided.reduce((best, next) => (rankOf(next) < rankOf(best) ? next : best))

function rankOf({ decision: { verdict, awaits }, isOfMethod, isNearest }: Decided): number {
  if (verdict === 'allowed' || awaits?.what === 'secondVerification') return 0
  if (verdict === 'pending') return 1
  return (isOfMethod ? 2 : 4) + Number(!isNearest)
}
