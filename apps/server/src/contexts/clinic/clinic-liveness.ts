/** The trial of liveness: passages whose score a terminal recorded, and the labels that users give them. */
import type { z } from 'zod'
import { LIST_OFFSET_MAX, type OutputOf } from '@gatehouse/contract'
import type { clinicCalls } from '@gatehouse/contract/clinic/calls'
import type { CAPTURE_LABELS, LivenessCapture } from '@gatehouse/contract/faces/liveness'
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { findPassage, listScored } from './data.ts'
import type { ClinicDependencies } from './dependencies.ts'

type TrialPage = z.output<(typeof clinicCalls)['livenessTrial']['data']>
type TrialQuery = OutputOf<(typeof clinicCalls)['livenessTrial']['query']>

export interface LivenessTrial {
  /** Newest first. @throws InvalidRequest a page beyond row 10,000 */
  list(scope: Scope, query: TrialQuery): Promise<TrialPage>
  /**
   * Label a passage.
   * @throws NotFound; InvalidRequest for a record without a score, or where this server has no liveness model
   */
  label(scope: Scope, recordId: string, label: (typeof CAPTURE_LABELS)[number]): Promise<LivenessCapture>
}

const DAYS_MS = 30 * 86_400_000

export function createLivenessTrial(platform: Platform, { faces }: Pick<ClinicDependencies, 'faces'>): LivenessTrial {
  const db = platform.db
  const { liveness } = faces

  /** Return the records that a filter by label includes or excludes. Labels are given by hand, so there are few. */
  async function amongOf(scope: Scope, label: TrialQuery['label']): Promise<{ ids: readonly string[]; within: boolean } | undefined> {
    if (label === undefined) return undefined
    const within = label !== 'none'
    return { ids: await liveness.labelled(scope, within ? label : null), within }
  }

  return {
    async list(scope, { page, size, label, below }) {
      if (page * size > LIST_OFFSET_MAX)
        throw new InvalidRequest([{ path: 'page', rule: 'max.number', params: { limit: Math.floor(LIST_OFFSET_MAX / size) } }])
      const from = platform.clock.now() - DAYS_MS
      const { content, total } = await listScored(scope, db, { from, below, among: await amongOf(scope, label), page, size })
      const labels = await liveness.labelsOf(
        scope,
        content.map(({ id }) => id),
      )
      return {
        total,
        totalExact: total <= LIST_OFFSET_MAX,
        content: content.map(({ id, captureFileId, ...row }) => ({
          ...row,
          recordId: id,
          captureThumbnail: captureFileId === null ? '' : platform.storage.address(scope, captureFileId, '96'),
          label: labels.get(id) ?? null,
        })),
        page,
        size,
      }
    },
    async label(scope, recordId, label) {
      const passage = await findPassage(scope, db, recordId)
      if (passage === undefined) throw new NotFound()
      const { liveness: score } = passage
      if (score === null) throw new InvalidRequest([{ path: 'recordId', rule: 'invalid' }])
      return liveness.addCapture(scope, { recordId, label, score })
    },
  }
}
