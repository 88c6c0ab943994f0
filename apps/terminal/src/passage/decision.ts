/**
 * From a face to a verdict: search what is held, decide by the rules, ask the server where it has the last word and about
 * a face nobody here knows.
 */
import { accessDeviceOf, decide, type Awaited, type Check, type Evidence, type SecondVerification } from '@gatehouse/access-rules'
import { failReason } from '@gatehouse/contract/enums'
import { deviceProtocolCalls, type DeviceSettings } from '@gatehouse/contract/device/protocol'
import { leadOf, scoreOf, type EngineDescription, type Face } from '@gatehouse/face-engine'
import type { SearchableHoldings } from '../store/holdings.ts'
import { ServerAway, type ServerClient } from '../device/server.ts'
import { encodeTemplate } from '../store/template.ts'

export interface Outcome {
  verdict: 'allowed' | 'rejected'
  failReason: number | null
  personId: string | null
  personName: string
  /** 0..100 of the nearest face; null when nobody is held. */
  score: number | null
  checks: Check[]
  /** Of the settings it was decided on. */
  revision: string
}

/** What the engine says of the face in front of the terminal. `livenessScore` is absent where it was not asked, or cannot tell. */
export interface SeenFace extends Pick<Face, 'livenessScore'> {
  embedding: Float32Array
}

export interface Decider {
  /**
   * @param moment epoch milliseconds at which the face was seen
   * @throws RangeError when the settings name a zone this machine does not know
   */
  decide(face: SeenFace, settings: DeviceSettings, moment: number): Promise<Outcome>
}

export interface DeciderOptions {
  holdings: SearchableHoldings
  /** The terminal's own: its distances mean what its curve says. */
  engine: Pick<EngineDescription, 'modelId' | 'calibration'>
  client: ServerClient
  online: () => boolean
  /** Milliseconds the server has to say whether it knows a face; somebody waits at the door. */
  identifyWithin?: number
}

/** Decides by what the terminal holds at the moment it is asked. */
export function createDecider({ holdings, engine: { modelId, calibration }, client, online, identifyWithin = 300 }: DeciderOptions): Decider {
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
  async function confirmed(personId: string, { method, timeoutMs }: Awaiting, moment: number, score: number | null): Promise<SecondVerification> {
    if (!online()) return { outcome: 'offline' }
    try {
      const answer = await client.request(deviceProtocolCalls.verify, { body: { personId, moment, method, score } }, { timeout: timeoutMs })
      return answer.allowed ? { outcome: 'confirmed' } : { outcome: 'refused', failReason: answer.failReason }
    } catch (error) {
      return { outcome: outcomeOf(error) }
    }
  }

  return {
    async decide({ embedding, livenessScore }, settings, moment) {
      const [nearest, next] = holdings.nearest(embedding)
      const score = nearest ? scoreOf(calibration, nearest.distance) : null
      const person = (nearest && holdings.person(nearest.personId)) ?? null
      const input = {
        revision: holdings.revision(),
        device: accessDeviceOf(settings),
        moment,
        person,
        strategies: person ? holdings.strategiesOf(person.id) : [],
        timeRules: holdings.timeRules(),
      }
      const evidence: Evidence = {
        face: {
          personId: nearest?.personId ?? null,
          score: score ?? 0,
          distance: nearest?.distance,
          runnerUp: next ? { personId: next.personId, score: scoreOf(calibration, next.distance), lead: leadOf(calibration, nearest!.distance, next.distance) } : null,
          liveness: livenessScore === undefined ? null : { score: livenessScore },
        },
      }
      let decision = decide({ ...input, evidence })
      if (decision.awaits?.what === 'secondVerification' && person) {
        const secondVerification = await confirmed(person.id, decision.awaits, moment, score)
        decision = decide({ ...input, evidence: { ...evidence, secondVerification } })
      }
      const { personId, checks, revision } = decision
      const verdict = decision.verdict === 'allowed' ? 'allowed' : 'rejected'
      const decided: Outcome = { verdict, failReason: decision.failReason, personId, personName: personId === null ? '' : (person?.name ?? ''), score, checks, revision }
      if (decided.failReason !== failReason.notRegistered || !online()) return decided

      const known = await knownElsewhere(embedding)
      // Of whoever is held here the server knows no more: not like enough by the threshold that holds for this person.
      if (!known || (known.personId !== null && known.personId === nearest?.personId)) return decided
      return { ...decided, failReason: known.failReason, personId: known.personId, personName: known.personName, score: known.score ?? score }
    },
  }
}

type Awaiting = Extract<Awaited, { what: 'secondVerification' }>

/** Nothing answers: as offline. What answers anything but a verdict has failed. */
function outcomeOf(error: unknown): SecondVerification['outcome'] {
  if (!(error instanceof ServerAway)) return 'failed'
  if (error.timedOut) return 'timedOut'
  return error.status === null ? 'offline' : 'failed'
}
