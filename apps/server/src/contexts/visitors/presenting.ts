/** Visits as calls answer them. */
import { visitorAuditStatus, visitorStatus } from '@gatehouse/contract/enums/visitors'
import { PERMISSION_STATUS, type VisitRow as ShownVisit } from '@gatehouse/contract/visitors/visit'
import type { Platform } from '../../platform/context.ts'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'
import type { Configuration } from './configuration.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import type { StoredVisit } from './form-types.ts'
import { shownValues } from './own-fields.ts'
import { statusOf, visitAbilities } from './policy.ts'

/** A visit is decided by its review, not by what happens after it. */
const AUDIT_STATUS: Readonly<Partial<Record<number, ShownVisit['auditStatus']>>> = {
  [visitorStatus.pendingReview]: visitorAuditStatus.pending,
  [visitorStatus.toConfirm]: visitorAuditStatus.pending,
  [visitorStatus.refused]: visitorAuditStatus.rejected,
  [visitorStatus.notYetVisited]: visitorAuditStatus.passed,
  [visitorStatus.checkedIn]: visitorAuditStatus.passed,
  [visitorStatus.signedOff]: visitorAuditStatus.passed,
  [visitorStatus.left]: visitorAuditStatus.passed,
  [visitorStatus.awaitingVerification]: visitorAuditStatus.passed,
}

/** Return what presents visits; of a picture its address, empty where there is none. */
export function createPresenter(
  { storage }: Pick<Platform, 'storage'>,
  { people, groups }: Pick<VisitorsDependencies, 'people' | 'groups'>,
  configuration: Configuration,
) {
  const addressOf = (scope: Scope, fileId: string | null, variant: 'full' | '96'): string =>
    fileId === null ? '' : storage.address(scope, fileId, variant)

  async function present(scope: Scope, stored: readonly StoredVisit[]): Promise<ShownVisit[]> {
    const watchedIds = stored.flatMap(({ row }) => row.watchMatches.map(({ personId }) => personId))
    const [groupNames, watched] = await Promise.all([
      groups.names(scope, [...new Set(stored.map(({ row }) => row.visitorGroupId))]),
      seesWatchList(scope) && watchedIds.length > 0 ? people.watchListed(scope, [...new Set(watchedIds)]) : [],
    ])
    const nameOf = new Map(groupNames.map(({ id, name }) => [id, name]))
    const watchedName = new Map(watched.map(({ id, name }) => [id, name]))
    const shown = configuration.form(scope).fields.filter(({ showInVisitorList }) => showInVisitorList)
    const circumstances = configuration.conditions(scope)
    return stored.map(({ row, details, peers }) => {
      const matches = row.watchMatches.flatMap((match) => {
        const personName = watchedName.get(match.personId)
        return personName === undefined ? [] : [{ ...match, personName }]
      })
      return {
        id: row.id,
        name: row.name,
        phone: details.phone,
        visitorGroupId: row.visitorGroupId,
        visitorGroupName: nameOf.get(row.visitorGroupId) ?? '',
        visitorNumber: row.visitorNumber,
        intervieweeId: row.hostId,
        visiteeName: row.hostName,
        reason: row.reason as ShownVisit['reason'],
        appointmentTime: row.appointedAt,
        visitTime: row.visitAt,
        visitEndTime: row.visitEndAt,
        validDays: row.validDays,
        entryTime: row.enteredAt,
        signOffTime: row.signedOffAt,
        authorisationExpiry: row.expiresAt,
        permissionStatus:
          row.personId !== null
            ? PERMISSION_STATUS.granted
            : row.formerPersonIds.length > 0
              ? PERMISSION_STATUS.ended
              : PERMISSION_STATUS.none,
        status: statusOf(row),
        auditStatus: AUDIT_STATUS[row.status] ?? null,
        rejectReason: row.rejectReason,
        source: row.source as ShownVisit['source'],
        reservationChannel: row.channel as ShownVisit['reservationChannel'],
        signInSource: row.signInSource as ShownVisit['signInSource'],
        forced: row.forced,
        cardNumber: details.cardNumber ?? '',
        cardReturned: row.cardReturned,
        deskChecks: row.deskChecks as ShownVisit['deskChecks'],
        peerCount: peers.length,
        facePhoto: addressOf(scope, row.photoFileId, 'full'),
        faceThumbnail: addressOf(scope, row.photoFileId, '96'),
        customFields: shownValues(scope, storage, shown, row.customFields),
        enabled: row.enabled,
        ...(matches.length > 0 && { watchList: matches }),
        remark: row.remark,
        can: visitAbilities(row, circumstances),
        version: row.version,
        updatedAt: row.updatedAt,
      }
    })
  }

  return { addressOf, present }
}
