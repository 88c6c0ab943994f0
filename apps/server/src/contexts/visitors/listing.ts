/** Lists visits, and shows single ones. */
import { localDate, startOfDay } from '@gatehouse/access-rules'
import { LIST_OFFSET_MAX, RECORD_WINDOW_DEFAULT, RECORD_WINDOW_MAX, type DataOf } from '@gatehouse/contract'
import { visitorAuditStatus, visitorStatus } from '@gatehouse/contract/enums/visitors'
import type { visitorCalls } from '@gatehouse/contract/visitors/calls'
import { PERMISSION_STATUS, type Visit, type VisitRow as ShownVisit } from '@gatehouse/contract/visitors/visit'
import type { Platform } from '../../platform/context.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import { seesWatchList, type Scope } from '../../platform/session/session.ts'
import type { Configuration } from './configuration.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import type { StoredVisit } from './form-values.ts'
import { shownValues } from './own-fields.ts'
import { statusOf, visitAbilities } from './policy.ts'
import type { StoredVisits } from './stored-visits.ts'
import { dateAfter } from './times.ts'
import { countDay, countVisits, listVisits, type VisitCursor, type VisitFilter } from './visit-list-data.ts'
import type { VisitRow } from './visits-data.ts'

type Page = DataOf<(typeof visitorCalls)['list']>

export interface VisitQuery extends Omit<VisitFilter, 'from' | 'to'> {
  startTime?: number | undefined
  endTime?: number | undefined
  page: number
  size: number
  after?: string | undefined
}

export interface Listing {
  /** @throws Refusal 900007 for a window that ends before it begins or is too long; InvalidRequest for a page too far, a wrong cursor */
  list(scope: Scope, query: VisitQuery): Promise<Page>
  valid(scope: Scope, query: { keyword?: string | undefined; page: number; size: number }): Promise<Page>
  summary(scope: Scope): Promise<DataOf<(typeof visitorCalls)['summary']>>
  /** @throws Refusal 200401 */
  read(scope: Scope, id: string): Promise<Visit>
}

const DAY = 86_400_000

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

/** Return the window of a list; without an end, visits of the future are in it. */
function windowOf({ startTime, endTime }: VisitQuery, now: number): { from: number; to: number } {
  const from = startTime ?? (endTime === undefined ? now : Math.min(endTime, now)) - RECORD_WINDOW_DEFAULT * DAY
  const to = endTime ?? from + RECORD_WINDOW_MAX * DAY
  if (from > to || to - from > RECORD_WINDOW_MAX * DAY) refuse(900007, endTime === undefined ? 'startTime' : 'endTime')
  return { from, to }
}

const cursorOf = ({ visitAt, id }: VisitRow): string => `${visitAt}_${id}`

function readCursor(text: string | undefined): VisitCursor | null {
  if (text === undefined) return null
  const [time = '', id = ''] = text.split('_')
  if (!/^\d{1,16}$/.test(time) || !isUuid(id)) throw new InvalidRequest([{ path: 'after', rule: 'invalid' }])
  return { time: Number(time), id }
}

export function createListing(
  platform: Platform,
  { people, groups, strategies, organisation }: Pick<VisitorsDependencies, 'people' | 'groups' | 'strategies' | 'organisation'>,
  configuration: Configuration,
  visits: StoredVisits,
): Listing {
  const { db, crypto, clock, storage } = platform
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
    const circumstances = configuration.circumstances(scope)
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

  async function pageOf(
    scope: Scope,
    filter: VisitFilter,
    { page, size, after }: Pick<VisitQuery, 'page' | 'size' | 'after'>,
  ): Promise<Page> {
    const cursor = readCursor(after)
    if (cursor === null && page * size > LIST_OFFSET_MAX)
      throw new InvalidRequest([{ path: 'page', rule: 'max.number', params: { limit: Math.floor(LIST_OFFSET_MAX / size) } }])
    const from = { db, crypto }
    // One row more than shown says whether the list goes on.
    const [rows, total] = await Promise.all([
      listVisits(scope, from, filter, { after: cursor, offset: (page - 1) * size, limit: size + 1 }),
      countVisits(scope, from, filter),
    ])
    const shown = rows.slice(0, size)
    return {
      total,
      totalExact: total <= LIST_OFFSET_MAX,
      content: await present(scope, await visits.open(scope, shown)),
      page,
      size,
      ...(rows.length > size && { next: cursorOf(shown.at(-1)!) }),
    }
  }

  return {
    list: (scope, query) => pageOf(scope, { ...query, ...windowOf(query, clock.now()) }, query),
    valid: (scope, query) =>
      pageOf(
        scope,
        {
          keyword: query.keyword,
          status: [visitorStatus.notYetVisited, visitorStatus.checkedIn, visitorStatus.awaitingVerification],
          from: null,
          to: null,
          validAt: clock.now(),
        },
        query,
      ),
    async summary(scope) {
      const { zone } = organisation.park(scope)
      const now = clock.now()
      const today = localDate(now, zone)
      return countDay(scope, db, { from: startOfDay(today, zone), to: startOfDay(dateAfter(today, 1), zone), now })
    },
    async read(scope, id) {
      const stored = await visits.existing(scope, id)
      const [[shown], rules] = await Promise.all([present(scope, [stored]), strategies.names(scope, 'visitor')])
      const { row, details, peers } = stored
      return {
        ...shown!,
        customFields: shownValues(scope, storage, configuration.form(scope).fields, row.customFields),
        cardNumberFormat: details.cardNumberFormat,
        certificateInfo: details.certificate,
        email: details.email ?? '',
        faceConsent: row.faceConsent,
        accessGroupIds: row.accessGroupIds,
        accessGroups: rules.filter((rule) => row.accessGroupIds.includes(rule.id)),
        passMethods: row.passMethods,
        peers: peers.map((peer) => ({
          id: peer.row.id,
          name: peer.row.name,
          phone: peer.phone,
          idNumber: peer.idNumber ?? '',
          facePhoto: addressOf(scope, peer.row.photoFileId, 'full'),
          faceThumbnail: addressOf(scope, peer.row.photoFileId, '96'),
        })),
        personId: row.personId,
        registeredBy: row.registeredBy,
      }
    },
  }
}
