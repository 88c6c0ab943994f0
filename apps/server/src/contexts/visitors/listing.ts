/** Lists visits, and shows single ones. */
import { localDate, startOfDay } from '@gatehouse/access-rules'
import { LIST_OFFSET_MAX, RECORD_WINDOW_DEFAULT, RECORD_WINDOW_MAX, type DataOf } from '@gatehouse/contract'
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import type { visitorCalls } from '@gatehouse/contract/visitors/calls'
import type { Visit } from '@gatehouse/contract/visitors/visit'
import type { Platform } from '../../platform/context.ts'
import { isUuid } from '../../platform/database/ids.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Configuration } from './configuration.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import { findConsent } from './documents-data.ts'
import { shownValues } from './own-fields.ts'
import { createPresenter } from './presenting.ts'
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
  needs: Pick<VisitorsDependencies, 'people' | 'groups' | 'strategies' | 'organisation'>,
  configuration: Configuration,
  visits: StoredVisits,
): Listing {
  const { db, crypto, clock, storage } = platform
  const { strategies, organisation } = needs
  const { addressOf, present } = createPresenter(platform, needs, configuration)

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
      const { row, details, peers } = stored
      const [[shown], rules, consentShown] = await Promise.all([
        present(scope, [stored]),
        strategies.names(scope, 'visitor'),
        row.faceConsent ? findConsent(scope, db, id) : null,
      ])
      return {
        ...shown!,
        customFields: shownValues(scope, storage, configuration.form(scope).fields, row.customFields),
        cardNumberFormat: details.cardNumberFormat,
        certificateInfo: details.certificate,
        email: details.email ?? '',
        faceConsent: row.faceConsent,
        consentShown,
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
