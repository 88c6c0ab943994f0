/** Corrections of wrong matches, and their undoing together with their effects. */
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { isUuid, newId } from '../../platform/database/ids.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { FacesService } from '../faces/index.ts'
import type { Clinic, CorrectionFields } from './clinic-types.ts'
import * as data from './data.ts'
import type { Passage, Passages } from './passages.ts'

/** Return a threshold that is never lower than a door's for everybody. */
const tightened = (threshold: number) => ({ threshold, loosens: false })

/** Return what the operation log says about a correction. */
const logged = (row: data.CorrectionRow | undefined) =>
  row === undefined
    ? {}
    : { wrongMatchAt: row.recordId, actualPersonId: row.actualPersonId, setAside: row.askedAside, threshold: row.threshold, note: row.note }

/**
 * Undo the effects of a correction. Where another correction requires the same effect, the effect stays and belongs to that one
 * from now on.
 */
async function takeBack(matching: FacesService['matching'], tx: Transaction, scope: Scope, row: data.CorrectionRow): Promise<void> {
  const others = (await data.findOthersOn(scope, tx, row)).map((other) => ({ ...other, setAside: { ...other.setAside } }))
  const heirs = new Set<data.CorrectionRow>()
  const inherit = (heir: data.CorrectionRow | undefined, take: (heir: data.CorrectionRow) => void): boolean => {
    if (heir === undefined) return false
    take(heir)
    heirs.add(heir)
    return true
  }

  const orphans = Object.entries(row.setAside).filter(([faceId, at]) => {
    const heir = others.find(({ personId, askedAside }) => personId === row.personId && askedAside.includes(faceId))
    return !inherit(heir, ({ setAside }) => void (setAside[faceId] = at))
  })
  await matching.putBack(
    tx,
    scope,
    orphans.map(([faceId, at]) => ({ faceId, at })),
  )

  const samePair = (other: data.CorrectionRow) =>
    [other.personId, other.actualPersonId].toSorted().join() === [row.personId, row.actualPersonId].toSorted().join()
  if (row.pairId !== null && !inherit(others.find(samePair), (heir) => void (heir.pairId = row.pairId))) {
    const pair = await matching.pairOf(tx, scope, row.personId, row.actualPersonId!)
    if (pair?.id === row.pairId) await matching.forgetPair(tx, scope, row.pairId)
  }

  if (row.threshold !== null) {
    // A later correction that replaced this threshold must not restore it when it is undone.
    const isLater = (other: data.CorrectionRow) =>
      other.createdAt > row.createdAt || (other.createdAt === row.createdAt && other.id > row.id)
    const over = others.find(
      (other) => other.personId === row.personId && isLater(other) && other.threshold !== null && other.thresholdBefore === row.threshold,
    )
    if (!inherit(over, (heir) => void (heir.thresholdBefore = row.thresholdBefore))) {
      const now = (await matching.of(scope, [row.personId], tx)).get(row.personId)?.threshold ?? null
      if (now === row.threshold)
        await matching.setThreshold(tx, scope, row.personId, row.thresholdBefore === null ? null : tightened(row.thresholdBefore))
    }
  }

  for (const heir of heirs) await data.handOver(scope, tx, heir.id, heir)
  await data.deleteCorrection(scope, tx, row.recordId)
}

export function createCorrections(platform: Platform, faces: FacesService, passages: Passages): Pick<Clinic, 'correct' | 'undo'> {
  const db = platform.db
  const { matching } = faces

  /** Return the person of the record. @throws InvalidRequest where the record has no person, or the fields name what they may not */
  async function assertPossible(scope: Scope, { personId }: Passage, { actualPersonId, setAside }: CorrectionFields): Promise<string> {
    const names = await passages.namesOf(scope, [personId, actualPersonId !== null && isUuid(actualPersonId) ? actualPersonId : null])
    // No person, or a person who was deleted since.
    if (personId === null || !names.has(personId)) throw new InvalidRequest([{ path: 'id', rule: 'invalid' }])
    if (actualPersonId === personId) throw new InvalidRequest([{ path: 'actualPersonId', rule: 'invalid' }])
    if (actualPersonId !== null && !names.has(actualPersonId)) throw new InvalidRequest([{ path: 'actualPersonId', rule: 'unknown' }])
    const own = (await faces.photosOf(scope, [personId])).get(personId) ?? []
    if (setAside.some((id) => !own.some(({ faceId }) => faceId === id))) throw new InvalidRequest([{ path: 'setAside', rule: 'unknown' }])
    return personId
  }

  return {
    async correct(scope, { account }, recordId, fields) {
      const { actualPersonId, note } = fields
      const threshold = fields.threshold ?? null
      const setAside = [...new Set(fields.setAside)]
      const personId = await assertPossible(scope, await passages.passageOf(scope, recordId), fields)
      const label = (await passages.namesOf(scope, [personId])).get(personId)?.name
      return platform.transaction(async (tx) => {
        await matching.lock(tx, scope)
        const passage = await data.holdPassage(scope, tx, recordId)
        if (passage === undefined) throw new NotFound()
        const before = await data.findCorrection(scope, tx, recordId)
        if (before !== undefined) await takeBack(matching, tx, scope, before)
        platform.audit.note({
          entity: 'person',
          id: personId,
          label,
          labelMask: 'name',
          before: logged(before),
          after: { wrongMatchAt: recordId, actualPersonId, setAside, threshold, note },
        })
        const newlyAside = await matching.setAside(tx, scope, setAside, true)
        const thresholdBefore = (await matching.of(scope, [personId], tx)).get(personId)?.threshold ?? null
        if (threshold !== null) await matching.setThreshold(tx, scope, personId, tightened(threshold))
        let pairId: string | null = null
        if (actualPersonId !== null && (await matching.pairOf(tx, scope, personId, actualPersonId)) === null)
          pairId = await matching.rememberPair(tx, scope, { personId, otherId: actualPersonId, origin: 'clinic', recordId })
        const id = before?.id ?? newId()
        await data.insertCorrection(scope, tx, {
          id,
          recordId,
          recordTime: passage.time,
          deviceId: passage.deviceId,
          personId,
          actualPersonId,
          pairId,
          askedAside: setAside,
          setAside: Object.fromEntries(newlyAside.map(({ faceId, at }) => [faceId, at])),
          threshold,
          thresholdBefore: threshold === null ? null : thresholdBefore,
          note,
          createdBy: account,
          createdAt: platform.clock.now(),
        })
        return id
      })
    },
    async undo(scope, recordId) {
      const correction = await data.findCorrection(scope, db, recordId)
      const label = correction && (await passages.namesOf(scope, [correction.personId])).get(correction.personId)?.name
      return platform.transaction(async (tx) => {
        await matching.lock(tx, scope)
        const row = await data.findCorrection(scope, tx, recordId)
        if (row === undefined) throw new NotFound()
        await takeBack(matching, tx, scope, row)
        platform.audit.note({ entity: 'person', id: row.personId, label, labelMask: 'name', before: logged(row), after: {} })
        return row.id
      })
    },
  }
}
