/** Is it a living face? What the engine said of faces whose label the owner knows, and the threshold that follows. */
import { FACE_FILE_MAX } from '@gatehouse/contract'
import type { DeviceSettings } from '@gatehouse/contract/device/protocol'
import type { LivenessCapture, LivenessState } from '@gatehouse/contract/faces/liveness'
import { livenessCurve, suggestedLiveness, type EngineDescription } from '@gatehouse/face-engine'
import type { Platform } from '../../platform/context.ts'
import type { Database, OpenTransaction, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Analysis } from './analysis.ts'
import * as data from './liveness-data.ts'
import type { CaptureLabel, LivenessTables } from './liveness-schema.ts'

export interface LivenessNeeds {
  engine: Pick<EngineDescription, 'livenessModelId'>
  analysis: Pick<Analysis, 'now'>
  /** What holds at the park's doors; null: liveness is off. */
  settingOf(scope: Scope): DeviceSettings['liveness']
}

/** A passage whose score is known already. */
export interface LabelledRecord {
  recordId: string
  label: CaptureLabel
  /** 0 to 1. */
  score: number
  /** What told; left out: what tells on this server. */
  modelId?: string
}

export interface Liveness {
  read(scope: Scope): Promise<LivenessState>
  captures(
    scope: Scope,
    query: { label?: CaptureLabel | undefined; page: number; size: number },
  ): Promise<{ total: number; content: LivenessCapture[]; page: number; size: number }>
  /**
   * Scores the most prominent face of a photograph, which is not kept. Only what is no photograph of a face is refused: a picture
   * held up may be blurred, dark or turned, and is to be counted.
   * @throws InvalidRequest where the engine cannot tell; Refusal 200204, 200205, 200206, 200208
   */
  add(scope: Scope, photo: Uint8Array, label: CaptureLabel): Promise<LivenessCapture>
  /** Labels a passage, or labels it anew. @throws InvalidRequest where it is not said what told, and nothing here can */
  addCapture(scope: Scope, record: LabelledRecord): Promise<LivenessCapture>
  /** Labels of passages; those without one are absent. */
  labelsOf(scope: Scope, recordIds: readonly string[]): Promise<Map<string, CaptureLabel>>
  /** Ids of the passages that were labelled, as this or at all. */
  labelled(scope: Scope, label: CaptureLabel | null): Promise<string[]>
  /** @throws NotFound where one of them is not there */
  remove(scope: Scope, ids: readonly string[]): Promise<number>
  erase(tx: OpenTransaction, scope: Scope): Promise<number>
}

/** Captures of each kind before a threshold is suggested: of 30 living faces none refused still means up to one in nine. */
export const CAPTURES_WANTED = 30

export function createLiveness(platform: Platform, { engine, analysis, settingOf }: LivenessNeeds): Liveness {
  const db = platform.db as unknown as Database<LivenessTables>

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
      // A face so far at the edge that nothing can be said of it is none either.
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
      const wanted = new Set(ids)
      return platform.transaction(async (tx: Tx<LivenessTables>) => {
        const count = await data.deleteCaptures(scope, tx, [...wanted])
        if (count < wanted.size) throw new NotFound()
        for (const id of wanted) platform.audit.note({ entity: 'livenessCapture', id, before: {} })
        return count
      })
    },
    erase: (tx, scope) => data.deleteCapturesOfPark(scope, tx as Tx<LivenessTables>),
  }
}
