/** Passages in the clinic, corrections in the form of answers, and the names of persons in both. */
import type { Correction } from '@gatehouse/contract/clinic/calls'
import type { Platform } from '../../platform/context.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import * as data from './data.ts'
import type { ClinicDependencies } from './dependencies.ts'

export type Passage = NonNullable<Awaited<ReturnType<typeof data.findPassage>>>

export interface Passages {
  /** @throws NotFound */
  passageOf(scope: Scope, recordId: string): Promise<Passage>
  namesOf(scope: Scope, personIds: readonly (string | null)[]): Promise<Map<string, { name: string; workNumber: string }>>
  /** Return corrections in the form of answers, in their order. */
  present(scope: Scope, rows: readonly data.CorrectionRow[]): Promise<Correction[]>
}

export function createPassages(platform: Platform, people: ClinicDependencies['people']): Passages {
  const db = platform.db

  async function passageOf(scope: Scope, recordId: string): Promise<Passage> {
    const passage = await data.findPassage(scope, db, recordId)
    if (passage === undefined) throw new NotFound()
    return passage
  }

  async function namesOf(scope: Scope, personIds: readonly (string | null)[]): Promise<Map<string, { name: string; workNumber: string }>> {
    const ids = new Set(personIds.flatMap((id) => id ?? []))
    return new Map((await people.facts(scope, [...ids])).map(({ id, name, workNumber }) => [id, { name, workNumber: workNumber ?? '' }]))
  }

  async function present(scope: Scope, rows: readonly data.CorrectionRow[]): Promise<Correction[]> {
    const [snapshots, unseen, names] = await Promise.all([
      data.findSnapshots(scope, db, rows),
      people.unseen(scope),
      namesOf(
        scope,
        rows.flatMap(({ personId, actualPersonId }) => [personId, actualPersonId]),
      ),
    ])
    return rows.map((row): Correction => {
      const record = snapshots.find(({ id }) => id === row.recordId)
      const { id, recordId, recordTime, personId, threshold, note, createdAt, createdBy } = row
      const actualPersonId = row.actualPersonId === null || unseen.ids.has(row.actualPersonId) ? null : row.actualPersonId
      return {
        id,
        recordId,
        recordTime,
        deviceName: record?.deviceName ?? '',
        captureThumbnail: record?.captureFileId == null ? '' : platform.storage.address(scope, record.captureFileId, '96'),
        personId,
        personName: record?.personName ?? names.get(personId)?.name ?? '',
        actualPersonId,
        actualPersonName: (actualPersonId === null ? undefined : names.get(actualPersonId)?.name) ?? '',
        score: record?.score ?? null,
        setAside: Object.keys(row.setAside),
        threshold,
        note,
        createdAt,
        createdBy,
      }
    })
  }

  return { passageOf, namesOf, present }
}
