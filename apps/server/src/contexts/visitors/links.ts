/** Links for visitors and hosts: valid until their end, and identified by a token of which only the hash is stored. */
import qrcode from 'qrcode'
import { INVITATION_LINK, PARK_LINK, type DataOf, type OutputOf } from '@gatehouse/contract'
import { visitorSource } from '@gatehouse/contract/enums/visitors'
import type { VisitorLink, VisitorLinkKind, visitorLinkCalls } from '@gatehouse/contract/visitors/appointments'
import type { Platform } from '../../platform/context.ts'
import { isLoopback } from '../../platform/http/loopback.ts'
import { InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Job } from '../../platform/jobs/jobs.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import { pageAddress, type LinkTokens } from './link-tokens.ts'
import * as data from './links-data.ts'
import type { Notices } from './notices.ts'
import { isEnded } from './policy.ts'
import { findVisits, type VisitRow } from './visits-data.ts'

type LinkFields = OutputOf<(typeof visitorLinkCalls)['createLink']['body']>
interface LinkQuery {
  kind?: VisitorLinkKind | undefined
  page: number
  size: number
}

export interface Links {
  list(scope: Scope, query: LinkQuery): Promise<DataOf<(typeof visitorLinkCalls)['links']>>
  /** Create a link; its address is in this answer and nowhere else. @param origin of the request @throws Refusal 200401, 200420 */
  create(scope: Scope, fields: LinkFields, origin: string): Promise<DataOf<(typeof visitorLinkCalls)['createLink']>>
  /** @throws NotFound */
  revoke(scope: Scope, id: string): Promise<void>
  /**
   * Return a function that finds the link of a token.
   * @throws from the function: InvalidRequest for an unknown token, an ended link, or one of another kind alike; TooManyTries after too
   *   many
   */
  opened(...kinds: VisitorLinkKind[]): (token: string, ip: string) => Promise<data.LinkRow>
  /** Count what is submitted through a link. @throws TooManyTries */
  admit(link: data.LinkRow, ip: string): Promise<void>
}

/** Pixels of each side: sharp on every screen and on paper. */
const QR_WIDTH = 640
const HOUR = 3_600_000
const WINDOW_MS = HOUR / 4
/** Unknown tokens from one address in a window. Many people in one network may scan a poster with an ended link. */
const WRONG_MAX = 60
/** Photos and visits submitted through one link from one address in a window: those at a gate share its address. */
const SUBMITTED_MAX = 150

export function createLinks(
  platform: Platform,
  { publicAddress, demandRoom }: Pick<VisitorsDependencies, 'publicAddress' | 'demandRoom'>,
  tokens: LinkTokens,
  notices: Notices,
): Links {
  const { db, clock } = platform
  const assertFew = (subject: string, most: number): Promise<void> => demandRoom(`visitor link ${subject}`, WINDOW_MS, most)

  /** Return the visit of a link that is to be made; null for a link of no visit yet. */
  async function visitOf(scope: Scope, { kind, visitId }: LinkFields): Promise<VisitRow | null> {
    if (visitId == null) return null
    const row = (await findVisits(scope, db, [visitId]))[0] ?? refuse(200401, 'visitId')
    const isInvited = row.source === visitorSource.invitation
    if (isEnded(row) || !row.enabled || (kind === 'invitation' && !isInvited)) refuse(200420, 'visitId')
    return row
  }

  return {
    async list(scope, query) {
      const { content, total } = await data.listLinks(scope, db, query, clock.now())
      return {
        total,
        content: content.map((link) => ({ ...link, kind: link.kind as VisitorLink['kind'], visitorName: link.visitorName ?? '' })),
        page: query.page,
        size: query.size,
      }
    },
    async create(scope, fields, origin) {
      const visit = await visitOf(scope, fields)
      const { kind } = fields
      const usual = kind === 'park' ? PARK_LINK : INVITATION_LINK
      const expiresAt = kind === 'host' ? visit!.expiresAt : clock.now() + (fields.hours ?? usual) * HOUR
      const token = tokens.random()
      const address = publicAddress(scope) ?? fields.address ?? origin
      const url = pageAddress(address, kind, token)
      const qr = await qrcode.toDataURL(url, { width: QR_WIDTH, margin: 2 })
      const { id, ways } = await platform.transaction(async (tx) => {
        const stored = (await tokens.store(tx, scope, { kind, token, visitId: visit?.id ?? null, address, expiresAt }))!
        const label = visit === null ? {} : { label: visit.name, labelMask: 'name' as const }
        platform.audit.note({ entity: 'visitorLink', id: stored, ...label, after: { kind, expiresAt } })
        const requested = { email: fields.mail === true, sms: fields.text === true }
        const isSent = kind === 'invitation' && visit !== null
        return { id: stored, ways: isSent ? await notices.invited(tx, scope, visit, url, requested) : { email: false, sms: false } }
      })
      return { id, url, qr, expiresAt, localOnly: isLoopback(new URL(url).hostname), mailed: ways.email, texted: ways.sms }
    },
    async revoke(scope, id) {
      await platform.transaction(async (tx) => {
        if (!(await data.deleteLink(scope, tx, id))) throw new NotFound()
        platform.audit.note({ entity: 'visitorLink', id, before: {} })
      })
    },
    opened:
      (...kinds) =>
      async (token, ip) => {
        const link = await data.findLinkUnscoped(db, tokens.hashOf(token), clock.now())
        if (link !== undefined && kinds.includes(link.kind as VisitorLinkKind)) return link
        // Counted after the lookup: 256 bits cannot be guessed, and a person with an old poster must not lock out all others at the gate.
        await assertFew(`wrong ${ip}`, WRONG_MAX)
        throw new InvalidRequest([{ path: 'token', rule: 'linkEnded' }])
      },
    admit: (link, ip) => assertFew(`submitted ${link.id} ${ip}`, SUBMITTED_MAX),
  }
}

/** The job `visitors.dropLinks`, each night: deletes links that have ended. */
export const createLinksJob = ({ db, clock }: Pick<Platform, 'db' | 'clock'>): Job => ({
  name: 'visitors.dropLinks',
  schedule: '41 3 * * *',
  async run() {
    const deleted = await data.deleteEndedLinksUnscoped(db, clock.now())
    return { outcome: deleted > 0 ? 'success' : 'skipped' }
  },
})
