/** What a simulated device decides about those who come: the same rules a real terminal decides by. */
import { decide, encodeChecks, type AccessStrategy, type TimeRule } from '@gatehouse/access-rules'
import { accessResult, verifyType } from '@gatehouse/contract/enums'
import type { Manifest, RecordObject } from '@gatehouse/contract/device/protocol'
import { distanceOfScore } from '@gatehouse/face-engine'
import type { Approach } from './passages.ts'
import type { DemoPerson } from './roster.ts'

/** A person of the roster as the server knows it. */
export interface RegisteredPerson extends DemoPerson {
  id: string
}

/** The records of a list of approaches, numbered from 1 by their place in it. @param pictured how many of the last have a picture */
export function recordsOf(approaches: readonly Approach[], manifest: Manifest, people: ReadonlyMap<string, RegisteredPerson>, pictured: number): RecordObject[] {
  const entitled = new Map(manifest.persons.map(([id, , indexes]) => [id, indexes]))
  const timeRules = new Map<string, TimeRule>(manifest.timeRules.map((rule) => [rule.id, rule]))
  const { settings, strategies } = manifest
  return approaches.map((approach, index) => {
    const known = approach.workNumber === null ? undefined : people.get(approach.workNumber)
    const held = known !== undefined && entitled.has(known.id)
    const decision = decide({
      revision: manifest.revision,
      device: { id: settings.deviceId, direction: settings.direction, zone: settings.zone, thresholds: { face: settings.threshold } },
      moment: approach.moment,
      evidence: { face: { personId: held ? known.id : null, score: approach.score, distance: distanceOfScore(approach.score) } },
      person: held ? { id: known.id, enabled: isEnabled(known, approach.moment), validFrom: known.validFrom, validTo: known.validTo } : null,
      strategies: held ? entitled.get(known.id)!.map((at): AccessStrategy => strategies[at]!) : [],
      timeRules,
    })
    return {
      seq: index + 1,
      occurredAt: approach.moment,
      personId: decision.personId,
      personName: decision.personId === null ? '' : known!.name,
      result: decision.verdict === 'allowed' ? accessResult.allowed : accessResult.rejected,
      failReason: decision.failReason,
      verifyType: verifyType.face,
      direction: settings.direction,
      score: approach.score,
      checks: encodeChecks(decision.checks),
      revision: manifest.revision,
      hasPicture: index >= approaches.length - pictured,
    }
  })
}

/** Whoever is disabled now was not before he left. */
const isEnabled = ({ disabled, leftAt }: RegisteredPerson, moment: number): boolean => !disabled || (leftAt !== null && moment < leftAt)
