/** From a face to a verdict: search what is held, decide by the rules, ask the server about a face nobody here knows. */
import { decide, type Check } from '@gatehouse/access-rules'
import { failReason } from '@gatehouse/contract/enums'
import { deviceProtocolCalls, type DeviceSettings } from '@gatehouse/contract/device/protocol'
import { scoreOf } from '@gatehouse/face-engine'
import type { Holdings, Model } from './holdings.ts'
import type { ServerClient } from './server.ts'
import { encodeTemplate } from './template.ts'

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

export interface Decider {
  /**
   * @param moment epoch milliseconds at which the face was seen
   * @throws RangeError when the settings name a zone this machine does not know
   */
  decide(embedding: Float32Array, settings: DeviceSettings, moment: number): Promise<Outcome>
}

export interface DeciderOptions {
  holdings: Holdings
  model: Model
  client: ServerClient
  online: () => boolean
  /** Milliseconds the server has to say whether it knows a face; somebody waits at the door. */
  identifyWithin?: number
}

/** Decides by what the terminal holds at the moment it is asked. */
export function createDecider({ holdings, model, client, online, identifyWithin = 300 }: DeciderOptions): Decider {
  /** What the park knows of a face that is not held here; null when it cannot be asked in time. */
  async function knownElsewhere(embedding: Float32Array) {
    try {
      const body = { modelId: model.modelId, template: encodeTemplate(embedding) }
      return await client.request(deviceProtocolCalls.identify, { body }, { timeout: identifyWithin })
    } catch {
      return null
    }
  }

  return {
    async decide(embedding, settings, moment) {
      const nearest = holdings.nearest(embedding)
      const score = nearest ? scoreOf(nearest.distance) : null
      const candidate = (nearest && holdings.person(nearest.personId)) ?? null
      const decision = decide({
        revision: holdings.revision(),
        device: { id: settings.deviceId, direction: settings.direction, zone: settings.zone, thresholds: { face: settings.threshold } },
        moment,
        evidence: { face: { personId: nearest?.personId ?? null, score: score ?? 0, distance: nearest?.distance } },
        person: candidate,
        strategies: candidate ? holdings.strategiesOf(candidate.id) : [],
        timeRules: holdings.timeRules(),
      })
      const { verdict, personId, checks, revision } = decision
      const decided: Outcome = { verdict, failReason: decision.failReason, personId, personName: personId === null ? '' : (candidate?.name ?? ''), score, checks, revision }
      if (decided.failReason !== failReason.notRegistered || !online()) return decided

      const known = await knownElsewhere(embedding)
      if (!known) return decided
      return { ...decided, failReason: known.failReason, personId: known.personId, personName: known.personName, score: known.score ?? score }
    },
  }
}
