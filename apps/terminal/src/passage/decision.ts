/**
 * From what was shown to a verdict: search what is held, decide by the rules, ask the server where it has the last word and about
 * a face nobody here knows.
 */
import {
  accessDeviceOf,
  decide,
  factorsOf,
  personNamed,
  promptsOf,
  verifyTypeOf,
  type AccessDevice,
  type Awaited,
  type Check,
  type Decision,
  type DecisionInput,
  type Evidence,
  type Factor,
  type Measured,
  type SecondVerification,
} from '@gatehouse/access-rules'
import { failReason } from '@gatehouse/contract/enums'
import { deviceProtocolCalls, type DeviceSettings } from '@gatehouse/contract/device/protocol'
import { recordedScore } from '@gatehouse/contract/score'
import type { EngineDescription } from '@gatehouse/face-engine'
import type { HeldPerson, SearchableHoldings } from '../store/holdings.ts'
import { ServerAway, type ServerClient } from '../device/server.ts'
import { encodeTemplate } from '../store/template.ts'
import type { Shown } from './inputs.ts'
import { createReader, type Reader, type Reading } from './readings.ts'

/** What somebody is to show, or a sensor to say, up to an instant in epoch milliseconds. */
export interface Awaiting {
  factors: readonly Factor[]
  until: number
}

export interface Outcome {
  /** `pending`: what `awaits` tells is missing. */
  verdict: 'allowed' | 'rejected' | 'pending'
  failReason: number | null
  awaits: Awaiting | null
  personId: string | null
  personName: string
  /** The contact who came in the person's place, as he is called here; null and empty where the person came. */
  contactId: string | null
  contactName: string
  /** Of the person, as long as he is held here. */
  workNumber: string
  /** 0..100 of the face compared, as it is recorded and shown: the check has it whole. Null where none was, or nobody is held. */
  score: number | null
  checks: Check[]
  /** Of the settings it was decided on. */
  revision: string
  /** Value of `verifyType`, or 0. */
  verifyType: number
  /** What somebody let in is asked to put on. */
  prompts: ('mask' | 'helmet')[]
}

export interface Decider extends Pick<Reader, 'knowsPassword' | 'isHeld'> {
  /**
   * @param moment epoch milliseconds at which it is decided
   * @throws RangeError when the settings name a zone this machine does not know
   */
  decide(shown: readonly Shown[], settings: DeviceSettings, moment: number, measured?: Measured): Promise<Outcome>
  /** Whether a face alone can begin a passage here; also where nothing can, so that whoever comes is seen. */
  takesFaces(settings: DeviceSettings): boolean
  /** What a face must reach now: it follows the faces held, where the settings carry a promise. */
  asked(settings: DeviceSettings): AccessDevice['thresholds']
}

export interface DeciderOptions {
  holdings: SearchableHoldings
  /** The terminal's own: its distances mean what its curve says. */
  engine: Pick<EngineDescription, 'modelId' | 'calibration'>
  client: ServerClient
  online: () => boolean
  /** Whether a text is the password of this door. */
  isDevicePassword?: (password: string) => boolean
  /** Milliseconds the server has to say whether it knows a face; somebody waits at the door. */
  identifyWithin?: number
}

/** Decides by what the terminal holds at the moment it is asked. */
export function createDecider({
  holdings,
  engine,
  client,
  online,
  isDevicePassword = () => false,
  identifyWithin = 300,
}: DeciderOptions): Decider {
  const { modelId, calibration } = engine
  const reader = createReader({ holdings, engine, isDevicePassword })

  /** What is decided by at this moment: whoever came or went since the last time counts. */
  const deviceNow = (settings: DeviceSettings): AccessDevice =>
    accessDeviceOf(settings, { templates: holdings.faces(), loosest: calibration.recommended.door })

  /** What the park knows of a face that is not held here; null when it cannot be asked in time. */
  async function knownElsewhere(embedding: Float32Array) {
    try {
      const body = { modelId, template: encodeTemplate(embedding) }
      return await client.request(deviceProtocolCalls.identify, { body }, { timeout: identifyWithin })
    } catch {
      return null
    }
  }

  /** The server's word on a passage nothing here speaks against. */
  async function confirmed(
    { personId, contactId }: Pick<Decision, 'contactId'> & { personId: string },
    { method, timeoutMs }: AwaitingServer,
    moment: number,
    score: number | null,
  ): Promise<SecondVerification> {
    if (!online()) return { outcome: 'offline' }
    try {
      const answer = await client.request(
        deviceProtocolCalls.verify,
        { body: { personId, moment, method, score, ...(contactId !== null && { contactId }) } },
        { timeout: timeoutMs },
      )
      return answer.allowed
        ? { outcome: 'confirmed' }
        : { outcome: 'refused', failReason: answer.failReason, restriction: answer.restriction ?? null }
    } catch (error) {
      return { outcome: outcomeOf(error) }
    }
  }

  /** Methods strategies take here and the device accepts. */
  function methodsOf({ methods: accepted = [] }: AccessDevice): number[] {
    const taken = holdings.strategies().flatMap(({ methods }) => methods)
    return [...new Set(taken)].filter((method) => accepted.length === 0 || accepted.includes(method))
  }

  /** Decides each reading on its own. */
  function decideReadings(all: readonly Shown[], device: AccessDevice, moment: number, measured: Measured): Decided[] {
    const methods = methodsOf(device)
    return reader.readings(all, device.thresholds.face).map(({ evidence: shown, score, isNearest }) => {
      const evidence: Evidence = { ...shown, measured }
      // The face of somebody the settings would not recognise may still be somebody's held here: whom it is about is looked up all the same.
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

  /** Whom the server does not let in for one person may come for another: each is asked about in turn, until one is let in or it says nothing. */
  async function confirmAll(decided: readonly Decided[], moment: number): Promise<Decided[]> {
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
        answer = await confirmed({ personId: person.id, contactId: decision.contactId }, awaits, moment, score)
      const last = decide({ ...input, evidence: { ...evidence, secondVerification: answer } })
      isLetIn = last.verdict === 'allowed'
      after.push({ ...each, decision: last })
    }
    return after
  }

  return {
    knowsPassword: reader.knowsPassword,
    isHeld: reader.isHeld,
    asked: (settings) => deviceNow(settings).thresholds,
    takesFaces(settings) {
      const methods = methodsOf(deviceNow(settings))
      return methods.length === 0 || methods.some((method) => factorsOf(method).includes('face'))
    },
    async decide(shown, settings, moment, measured = {}) {
      const { input, evidence, person, score, decision } = bestOf(
        await confirmAll(decideReadings(shown, deviceNow(settings), moment, measured), moment),
      )
      const { personId, contactId, checks, revision, awaits } = decision
      const decided: Outcome = {
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
      const [only] = shown
      if (decided.failReason !== failReason.notRegistered || shown.length !== 1 || only?.input.kind !== 'face' || !online()) return decided
      if (isBelow(score, settings.configuration?.lowThreshold ?? null)) return decided

      const known = await knownElsewhere(only.input.face.embedding)
      // Of whoever is held here the server knows no more: not like enough by the threshold that holds for this person.
      if (!known || (known.personId !== null && known.personId === evidence.face?.personId)) return decided
      return {
        ...decided,
        failReason: known.failReason,
        personId: known.personId,
        personName: known.personName,
        contactId: null,
        contactName: '',
        workNumber: '',
        score: recorded(known.score ?? score),
      }
    },
  }
}

type AwaitingServer = Extract<Awaited, { what: 'secondVerification' }>

const recorded = (score: number | null): number | null => (score === null ? null : recordedScore(score))

/** Who is not even a little like anybody is not asked about. */
const isBelow = (score: number | null, lowThreshold: number | null) => lowThreshold !== null && (score ?? 0) < lowThreshold

const isPartOf = (evidence: Evidence, factors: readonly Factor[]) =>
  Object.keys(evidence).every((factor) => factors.includes(factor as Factor))

/** A reading with what is decided on it. */
interface Decided extends Omit<Reading, 'evidence'> {
  input: Omit<DecisionInput, 'evidence'>
  evidence: Evidence
  person: HeldPerson | null
  decision: Decision
  isOfMethod: boolean
}

/** The one that lets in counts, else one that may yet, else one a method here is made of: the first of equal ones, and of several whose face it may be the nearest. */
const bestOf = (decided: readonly Decided[]): Decided => decided.reduce((best, next) => (rankOf(next) < rankOf(best) ? next : best))

function rankOf({ decision: { verdict, awaits }, isOfMethod, isNearest }: Decided): number {
  if (verdict === 'allowed' || awaits?.what === 'secondVerification') return 0
  if (verdict === 'pending') return 1
  return (isOfMethod ? 2 : 4) + Number(!isNearest)
}

/** Nothing answers: as offline. What answers anything but a verdict has failed. */
function outcomeOf(error: unknown): SecondVerification['outcome'] {
  if (!(error instanceof ServerAway)) return 'failed'
  if (error.timedOut) return 'timedOut'
  return error.status === null ? 'offline' : 'failed'
}
