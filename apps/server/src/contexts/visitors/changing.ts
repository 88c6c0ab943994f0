/** Changes visits by their form. */
import type { z } from 'zod'
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import { certificate, peerFields, visitCreate, type visitChange } from '@gatehouse/contract/visitors/fields'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { Conflict, Hindered, Refusal, refuse } from '../../platform/http/refusal.ts'
import { unmasked } from '../../platform/session/masking.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { VisitCaller } from './dependencies.ts'
import type { Draft, StoredVisit, VisitFields } from './form-types.ts'
import { deleteHostLinks } from './links-data.ts'
import { loggedDraft, loggedVisit } from './logged.ts'
import { filesOfValues } from './own-fields.ts'
import { replacePeers } from './peers-data.ts'
import { canChange } from './policy.ts'
import { refusePresent, type VisitParts } from './registering.ts'
import type { StoredVisits } from './stored-visits.ts'
import { changeVisit, updateVisit } from './visits-data.ts'

type Sent = Omit<z.output<typeof visitChange>, 'id' | 'version'>

/** A change by the visitor, through a link. */
export interface OpenChange {
  /** Writes with the visit. */
  alongside(tx: Transaction, visit: { id: string; expiresAt: number }): Promise<void>
}

export interface Changing {
  /** @throws as create; Refusal 200401, 200420 a visit that is over, 200224 a blocked one; Conflict */
  change(scope: Scope, id: string, version: number | undefined, sent: Sent, caller: VisitCaller, open?: OpenChange): Promise<void>
}

/** Return the form that would change nothing. Pictures and own fields that are undefined stay as they are. */
function formOf({ row, details, peers }: StoredVisit): VisitFields {
  return {
    source: row.source as VisitFields['source'],
    name: row.name,
    phone: details.phone,
    visitorGroupId: row.visitorGroupId,
    visitorNumber: row.visitorNumber,
    intervieweeId: row.hostId,
    reason: row.reason as VisitFields['reason'],
    visitTime: row.visitAt,
    visitEndTime: row.validDays === null ? row.visitEndAt : null,
    validDays: row.validDays,
    accessGroupIds: row.accessGroupIds,
    passMethods: row.passMethods as VisitFields['passMethods'],
    peers: peers.map((peer) => ({ id: peer.row.id, name: peer.row.name, phone: peer.phone, idNumber: peer.idNumber })),
    cardNumber: details.cardNumber,
    cardNumberFormat: details.cardNumberFormat,
    certificateInfo: details.certificate,
    facePhoto: undefined,
    email: details.email,
    faceConsent: row.faceConsent,
    customFields: undefined,
    remark: row.remark,
  }
}

/** Return what a form sent, with stored values in place of masked ones. @throws InvalidRequest */
function unmaskedForm(caller: Pick<VisitCaller, 'masking'>, sent: Sent, { peers, details }: StoredVisit, current: VisitFields): Sent {
  const stored = new Map(peers.map((peer) => [peer.row.id, { name: peer.row.name, phone: peer.phone, idNumber: peer.idNumber }]))
  return {
    ...unmasked(caller, visitCreate, sent, { ...current }),
    ...(sent.peers !== undefined && { peers: sent.peers.map((peer) => unmasked(caller, peerFields, peer, stored.get(peer.id ?? ''))) }),
    ...(sent.certificateInfo != null && {
      certificateInfo: unmasked(caller, certificate, sent.certificateInfo, { ...details.certificate }),
    }),
  }
}

export function createChanging(
  platform: Platform,
  visits: StoredVisits,
  { configuration, notices, numbers, formValues, rights }: VisitParts,
): Changing {
  /** Return the files that the visit refers to now and not after the change. */
  function releasedFiles(scope: Scope, { row, peers }: StoredVisit, { fileIds }: Draft): string[] {
    const kept = new Set(fileIds)
    const own = filesOfValues(configuration.form(scope).fields, row.customFields)
    return [row.photoFileId, ...peers.map((peer) => peer.row.photoFileId), ...own].flatMap((id) =>
      id === null || kept.has(id) ? [] : [id],
    )
  }

  async function write(tx: Transaction, scope: Scope, stored: StoredVisit, draft: Draft, version: number): Promise<void> {
    const { row, peers: peersBefore } = stored
    const now = platform.clock.now()
    if (!(await updateVisit(scope, tx, { id: row.id, version }, draft.values, {}, now))) throw new Conflict(['version'])
    if (draft.values.hostId !== row.hostId) {
      // Another person decides from now on.
      await deleteHostLinks(scope, tx, row.id)
      if (row.status === visitorStatus.toConfirm) await notices.notifyHost(tx, scope, row.id, 'visitToConfirm')
    }
    const remaining = new Set(draft.peers.flatMap((peer) => peer.row.personId ?? []))
    const removedPeers = peersBefore.map((peer) => peer.row).filter(({ personId }) => personId !== null && !remaining.has(personId))
    const removed = await rights.withdrawPeers(tx, scope, removedPeers)
    if (removed.length > 0) await changeVisit(scope, tx, row.id, { formerPersonIds: [...row.formerPersonIds, ...removed] }, now)
    await replacePeers(
      scope,
      tx,
      row.id,
      draft.peers.map((peer) => peer.row),
    )
    await platform.storage.keep(tx, scope, draft.fileIds)
    await platform.storage.release(tx, scope, releasedFiles(scope, stored, draft))
    platform.audit.note({
      entity: 'visit',
      id: row.id,
      label: draft.values.name,
      labelMask: 'name',
      before: loggedVisit(stored),
      after: loggedDraft(draft),
    })
  }

  /**
   * Return what keeps a visitor's change although doors do not take it: the visitor loses the right of way, and the desk gives it again.
   * Why they do not take it may be that somebody else looks like the visitor, which no page says.
   */
  const withoutRights =
    (scope: Scope, row: StoredVisit['row'], draft: Draft, writeIn: (tx: Transaction) => Promise<void>) =>
    async (error: unknown): Promise<void> => {
      if (!(error instanceof Refusal || error instanceof Hindered)) throw error
      draft.values.deskChecks = [...draft.values.deskChecks, 'pass']
      await platform.transaction(async (tx) => {
        await writeIn(tx)
        await changeVisit(scope, tx, row.id, await rights.withdraw(tx, scope, row), platform.clock.now())
      })
    }

  return {
    async change(scope, id, version, sent, caller, open) {
      const stored = await visits.existing(scope, id)
      const { row, details } = stored
      if (!row.enabled) refuse(200224, 'id')
      if (!canChange(row)) refuse(200420, 'id')
      if (version !== undefined && version !== row.version) throw new Conflict(['version'])
      const current = formOf(stored)
      const fields = leftAsItWas<VisitFields>(current, unmaskedForm(caller, sent, stored, current) as Partial<VisitFields>)
      // A visit has an end or a number of days; what is sent takes the place of the other.
      if (sent.validDays != null && sent.visitEndTime === undefined) fields.visitEndTime = null
      if (sent.visitEndTime != null && sent.validDays === undefined) fields.validDays = null
      const inspected = open === undefined ? await numbers.check(scope, fields, id) : await numbers.inspect(scope, fields, id)
      // A companion whom the desk has to check is known at no door before.
      if (inspected) fields.peers = fields.peers.map((peer, at) => (inspected.peers.includes(at) ? { ...peer, facePhoto: null } : peer))
      const hostName = row.hostName
      const draft = await formValues.of(scope, id, fields, stored, { language: caller.language, ...(open && { open: { hostName } }) })
      draft.values.deskChecks = [...new Set([...draft.values.deskChecks, ...(inspected?.checks ?? [])])]
      const isOther = details.certificate?.number !== draft.details.certificate?.number || row.photoFileId !== draft.values.photoFileId
      if (isOther)
        draft.values.watchMatches = await numbers.matches(scope, {
          idNumber: draft.details.certificate?.number ?? null,
          photoFileId: draft.values.photoFileId,
        })
      draft.values.watchMatches = [...draft.values.watchMatches, ...(inspected?.matches ?? [])]
      const writeIn = async (tx: Transaction): Promise<void> => {
        await write(tx, scope, stored, draft, version ?? row.version)
        await open?.alongside(tx, { id, expiresAt: draft.values.expiresAt })
      }
      const { personId } = row
      const changed = (): Promise<void> =>
        personId === null
          ? platform.transaction(writeIn)
          : rights.change(scope, personId, { ...row, details }, { ...draft.values, details: draft.details }, writeIn)
      await (open === undefined || personId === null ? changed() : changed().catch(withoutRights(scope, row, draft, writeIn))).catch(
        refusePresent,
      )
      if (personId !== null) await rights.grantPeers(scope, id)
    },
  }
}
