/**
 * The right of way of visitors. While a visitor may pass, a person of the register stands for them, and one for each companion with a
 * photo; devices know these persons. When the right ends the persons are removed, and with them photos, templates and cards from every
 * device.
 */
import { accessMethod } from '@gatehouse/contract/enums/access'
import { hasRights } from '@gatehouse/contract/visitors/transitions'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { Conflict } from '../../platform/http/refusal.ts'
import { seeingAll, type Scope } from '../../platform/session/session.ts'
import type { Configuration } from './configuration.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import type { VisitDetails } from './details.ts'
import { findPeers, findPeersWithoutPersonUnscoped, setPeerPerson, type PeerRow } from './peers-data.ts'
import type { Alongside, Passes } from './passes.ts'
import type { StoredVisits } from './stored-visits.ts'
import { passageTimes } from './times.ts'
import { lockVisit, type VisitChange, type VisitRow, type VisitValues } from './visits-data.ts'

/** What of a visit decides where its persons pass. */
export type VisitTerms = Pick<
  VisitValues,
  'name' | 'visitorGroupId' | 'visitAt' | 'expiresAt' | 'accessGroupIds' | 'passMethods' | 'photoFileId'
> & { details: Pick<VisitDetails, 'cardNumber' | 'cardNumberFormat'> }

export interface Rights {
  /** Whether a visit of this status lets its visitor pass. */
  applyTo(scope: Scope, visit: { status: VisitRow['status']; enabled: boolean }): boolean
  /** Register the person that stands for a visitor; `alongside` writes the visit. @throws Hindered; Refusal 200207 */
  grant(scope: Scope, terms: VisitTerms, alongside: Alongside): Promise<void>
  /** Change that person. @param before terms as they were: what is the same is left alone @throws as grant */
  change(scope: Scope, personId: string, before: VisitTerms, terms: VisitTerms, alongside: Alongside): Promise<void>
  /** Register persons for the companions of a visit whose visitor may pass; one who cannot be registered is logged and tried again. */
  grantPeers(scope: Scope, visitId: string): Promise<void>
  /** The same for all visits where some are missing. */
  grantMissingPeers(): Promise<number>
  /** Remove the persons of a visit that is locked; return what has to be written of it. */
  withdraw(tx: Transaction, scope: Scope, row: Pick<VisitRow, 'id' | 'personId' | 'formerPersonIds'>): Promise<VisitChange>
  /** Remove the persons of companions who are none any more. */
  withdrawPeers(tx: Transaction, scope: Scope, peers: readonly Pick<PeerRow, 'personId'>[]): Promise<string[]>
}

const BY_FACE: readonly number[] = [accessMethod.face, accessMethod.cardAndFace, accessMethod.qrCodeAndFace]
const BY_CARD: readonly number[] = [accessMethod.card, accessMethod.cardAndFace]
const PEERS_AT_ONCE = 200

const uses = (methods: readonly number[], some: readonly number[]): boolean => methods.some((method) => some.includes(method))

const cardOf = ({ passMethods, details: { cardNumber, cardNumberFormat } }: VisitTerms) => ({
  cardNumber: uses(passMethods, BY_CARD) ? cardNumber : null,
  cardNumberFormat,
})

export function createRights(
  platform: Platform,
  { people, photos }: Pick<VisitorsDependencies, 'people' | 'photos'>,
  configuration: Configuration,
  visits: StoredVisits,
  passes: Pick<Passes, 'alongside' | 'withdraw'>,
): Rights {
  const { db, log } = platform
  const validityOf = (scope: Scope, terms: VisitTerms) => passageTimes(terms, configuration.of(scope))

  const faceOf = async (scope: Scope, { passMethods, photoFileId }: Pick<VisitTerms, 'passMethods' | 'photoFileId'>) =>
    photoFileId !== null && uses(passMethods, BY_FACE) ? photos.faceIdOf(scope, photoFileId) : null

  async function grantPeer(scope: Scope, visitId: string, peer: PeerRow, terms: VisitTerms): Promise<void> {
    const faceId = await faceOf(scope, { passMethods: terms.passMethods, photoFileId: peer.photoFileId })
    if (faceId === null) return
    const fields = {
      name: peer.name,
      groupId: terms.visitorGroupId,
      ...validityOf(scope, terms),
      methods: terms.passMethods,
      faceId,
      cardNumber: null,
      cardNumberFormat: 'decimal' as const,
    }
    await people.admitVisitor(scope, fields, {
      strategyIds: terms.accessGroupIds,
      async alongside(tx, personId) {
        const row = await lockVisit(scope, tx, visitId)
        // The visit ended meanwhile, or another call was quicker.
        const [current] = (await findPeers(scope, tx, [visitId])).filter(({ id }) => id === peer.id)
        if (row?.personId == null || current === undefined || current.personId !== null) throw new Conflict(['status'])
        await setPeerPerson(scope, tx, peer.id, personId)
      },
    })
  }

  async function grantPeers(visible: Scope, visitId: string): Promise<void> {
    const scope = seeingAll(visible)
    const { row, details } = await visits.existing(scope, visitId)
    if (row.personId === null) return
    const terms = { ...row, details }
    for (const peer of await findPeers(scope, db, [visitId])) {
      if (peer.personId !== null || peer.photoFileId === null) continue
      try {
        await grantPeer(scope, visitId, peer, terms)
      } catch (error) {
        if (!(error instanceof Conflict)) log.warn({ err: error, visit: visitId }, 'a companion could not be registered at the doors')
      }
    }
  }

  const withdrawPeers: Rights['withdrawPeers'] = async (tx, scope, peers) => {
    const personIds = peers.flatMap(({ personId }) => personId ?? [])
    if (personIds.length > 0) await people.remove(tx, scope, personIds)
    return personIds
  }

  return {
    applyTo(scope, { status, enabled }) {
      const { needAuthorisation, certificateRequired } = configuration.of(scope)
      return needAuthorisation && enabled && hasRights(status as Parameters<typeof hasRights>[0], { certificateRequired })
    },
    async grant(visible, terms, alongside) {
      const scope = seeingAll(visible)
      const fields = {
        name: terms.name,
        groupId: terms.visitorGroupId,
        ...validityOf(scope, terms),
        methods: terms.passMethods,
        faceId: await faceOf(scope, terms),
        ...cardOf(terms),
      }
      const withPass = await passes.alongside(scope, terms.passMethods, alongside)
      await people.admitVisitor(scope, fields, { strategyIds: terms.accessGroupIds, alongside: withPass })
    },
    async change(visible, personId, before, terms, alongside) {
      const scope = seeingAll(visible)
      const hasOtherFace =
        before.photoFileId !== terms.photoFileId || uses(before.passMethods, BY_FACE) !== uses(terms.passMethods, BY_FACE)
      const fields = {
        name: terms.name,
        groupId: terms.visitorGroupId,
        ...validityOf(scope, terms),
        methods: terms.passMethods,
        ...cardOf(terms),
        ...(hasOtherFace && { faceId: await faceOf(scope, terms) }),
      }
      const withPass = await passes.alongside(scope, terms.passMethods, alongside)
      await people.changeVisitor(scope, personId, fields, { strategyIds: terms.accessGroupIds, alongside: withPass })
    },
    grantPeers,
    async grantMissingPeers() {
      const missing = await findPeersWithoutPersonUnscoped(db, PEERS_AT_ONCE)
      for (const { parkId, visitId } of missing) await grantPeers({ parkId }, visitId)
      return missing.length
    },
    async withdraw(tx, visible, { id, personId, formerPersonIds }) {
      if (personId === null) return {}
      const scope = seeingAll(visible)
      const peers = await findPeers(scope, tx, [id])
      const removed = [personId, ...(await withdrawPeers(tx, scope, peers))]
      await passes.withdraw(tx, scope, removed)
      await people.remove(tx, scope, [personId])
      for (const peer of peers) if (peer.personId !== null) await setPeerPerson(scope, tx, peer.id, null)
      return { personId: null, formerPersonIds: [...formerPersonIds, ...removed] }
    },
    withdrawPeers,
  }
}
