/** Liveness: the engine's scores of faces with labels, and the threshold that follows from them. */
import { FACE_FILE_MAX } from '@gatehouse/contract'
import type { DeviceSettings } from '@gatehouse/contract/device/protocol-manifest'
import type { LivenessCapture, LivenessState } from '@gatehouse/contract/faces/liveness'
import { livenessCurve, suggestedLiveness, type EngineDescription } from '@gatehouse/face-engine'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Analysis } from './analysis.ts'
import * as data from './liveness-data.ts'
import type { CaptureLabel } from './liveness-schema.ts'

export interface LivenessNeeds {
  engine: Pick<EngineDescription, 'livenessModelId'>
  analysis: Pick<Analysis, 'now'>
  /** The setting at the park's doors; null: liveness is off. */
  settingOf(scope: Scope): DeviceSettings['liveness']
}

/** A passage with a score that exists already. */
export interface LabelledRecord {
  recordId: string
  label: CaptureLabel
  /** 0 to 1. */
  score: number
  /** The liveness model; absent: the model of this server. */
  modelId?: string
}

export interface Liveness {
  read(scope: Scope): Promise<LivenessState>
  captures(
    scope: Scope,
    query: { label?: CaptureLabel | undefined; page: number; size: number },
  ): Promise<{ total: number; content: LivenessCapture[]; page: number; size: number }>
  /**
   * Score the most prominent face of a photograph, which is not stored. Only a photograph without a usable face is refused: a
   * picture held up to the camera may be blurred, dark or turned, and must be counted.
   * @throws InvalidRequest where the engine has no liveness model; Refusal 200204, 200205, 200206, 200208
   */
  add(scope: Scope, photo: Uint8Array, label: CaptureLabel): Promise<LivenessCapture>
  /** Label a passage, replacing an earlier label. @throws InvalidRequest where no model is named and the engine has none */
  addCapture(scope: Scope, record: LabelledRecord): Promise<LivenessCapture>
  /** Labels of passages by record id; passages without a label are absent. */
  labelsOf(scope: Scope, recordIds: readonly string[]): Promise<Map<string, CaptureLabel>>
  /** Ids of the passages with this label, or with any label for null. */
  labelled(scope: Scope, label: CaptureLabel | null): Promise<string[]>
  /** @throws NotFound where one of them does not exist */
  remove(scope: Scope, ids: readonly string[]): Promise<number>
  erase(tx: Transaction, scope: Scope): Promise<number>
}

/** Captures of each label before a threshold is suggested: 30 living faces without a refusal still allow for up to one in nine. */
export const CAPTURES_WANTED = 30

export function createLiveness(platform: Platform, { engine, analysis, settingOf }: LivenessNeeds): Liveness {
  const db = platform.db

  function runningModel(path: string): string {
    if (engine.livenessModelId === null) throw new InvalidRequest([{ path, rule: 'engineCannotTell' }])
    return engine.livenessModelId
  }

  async function put(scope: Scope, capture: Omit<LivenessCapture, 'id' | 'createdAt'>): Promise<LivenessCapture> {
    const kept = await data.putCapture(scope, db, { id: newId(), createdAt: platform.clock.now(), ...capture })
    platform.audit.note({
      entity: 'livenessCapture',
      id: kept.id,
      after: { label: kept.label, source: kept.source, recordId: kept.recordId },
    })
    return kept
  }

  return {
    async read(scope) {
      const setting = settingOf(scope)
      const modelId = engine.livenessModelId
      const captures = modelId === null ? [] : await data.readScores(scope, db, modelId)
      const scoresOf = (label: CaptureLabel) => captures.filter((capture) => capture.label === label).map(({ score }) => score)
      const [genuine, spoof] = [scoresOf('genuine'), scoresOf('spoof')]
      return {
        mode: setting === null ? 'off' : setting.refuses ? 'on' : 'trial',
        threshold: setting?.threshold ?? null,
        available: modelId !== null,
        modelId,
        genuine: genuine.length,
        spoof: spoof.length,
        curve: livenessCurve(genuine, spoof),
        suggestion: suggestedLiveness(genuine, spoof, CAPTURES_WANTED),
        wanted: CAPTURES_WANTED,
      }
    },
    async captures(scope, { label, page, size }) {
      return { ...(await data.listCaptures(scope, db, { label, page, size })), page, size }
    },
    async add(scope, photo, label) {
      const modelId = runningModel('file')
      if (photo.byteLength > FACE_FILE_MAX) refuse(200206, 'file')
      const { faces } = await analysis.now(photo, { embed: 'none', liveness: true })
      const score = faces[0]?.livenessScore
      // A face too close to the edge for a score counts as none.
      if (score === undefined) refuse(200204, 'file')
      return put(scope, { label, source: 'upload', score, modelId, recordId: null })
    },
    addCapture: async (scope, { recordId, label, score, modelId }) =>
      put(scope, { label, source: 'record', score, modelId: modelId ?? runningModel('recordId'), recordId }),
    async labelsOf(scope, recordIds) {
      return new Map((await data.findLabels(scope, db, recordIds)).map(({ recordId, label }) => [recordId, label]))
    },
    labelled: (scope, label) => data.findLabelledRecords(scope, db, label),
    async remove(scope, ids) {
      const requestedIds = new Set(ids)
      return platform.transaction(async (tx) => {
        const count = await data.deleteCaptures(scope, tx, [...requestedIds])
        if (count < requestedIds.size) throw new NotFound()
        for (const id of requestedIds) platform.audit.note({ entity: 'livenessCapture', id, before: {} })
        return count
      })
    },
    erase: (tx, scope) => data.deleteCapturesOfPark(scope, tx),
  }
}
