/** Links by which people hand in themselves: valid until their end, known by a token whose hash alone is stored. */
import { randomBytes } from 'node:crypto'
import qrcode from 'qrcode'
import type { z } from 'zod'
import type { DataOf } from '@gatehouse/contract'
import { ENROLMENT_LINK, ENROLMENT_LINK_MAX } from '@gatehouse/contract'
import type { EnrolmentLink, enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import type { PersonKind } from '@gatehouse/contract/people/calls'
import type { Platform } from '../../platform/context.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { isLoopback } from '../../platform/http/loopback.ts'
import { InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { GroupService, PeopleService } from '../people/index.ts'
import * as data from './data.ts'
import type { EnrolmentTables } from './schema.ts'

type LinkWishes = z.output<(typeof enrolmentCalls)['createLink']['body']>

export interface Links {
  list(
    scope: Scope,
    query: { page: number; size: number },
  ): Promise<{ total: number; content: EnrolmentLink[]; page: number; size: number }>
  /** The address is in the answer and nowhere else. @param origin that the request was made to */
  create(scope: Scope, wishes: LinkWishes, origin: string): Promise<DataOf<(typeof enrolmentCalls)['createLink']>>
  revoke(scope: Scope, id: string): Promise<void>
  /** @throws InvalidRequest for a token of no link, an ended or a revoked one alike; TooManyTries when there were many from there */
  opened(token: string, ip: string): Promise<data.LinkRow>
  /** Counts a photograph handed in. @throws TooManyTries */
  admit(link: data.LinkRow, ip: string): Promise<void>
}

const TOKEN_BYTES = 32
/** Pixels of each side: sharp on every screen and on paper. */
const QR_WIDTH = 640
const HOUR = 3_600_000
const WINDOW_MS = HOUR / 4
/** Tokens of no link from one address in a window. A poster with an ended link is scanned by many from one network. */
const WRONG_MAX = 60
/** Photographs handed in through one link from one address in a window: an office shares its address. */
const HANDED_IN_MAX = 300

export interface LinkNeeds {
  people: PeopleService
  groups: GroupService
  /** Beginning of links that the installation is set to; null where it is not. */
  publicAddress(scope: Scope): string | null
  /** Counts a try in the window that runs, or begins now for `windowMs`. @throws TooManyTries beyond so many in it */
  demandRoom(subject: string, windowMs: number, most: number): Promise<void>
}

export function createLinks(platform: Platform, { people, groups, publicAddress, demandRoom }: LinkNeeds): Links {
  const db = platform.db as unknown as Database<EnrolmentTables>
  const hashOf = (token: string): Buffer => platform.crypto.blindIndex(`enrolment ${token}`)

  /** Counts a try. @throws TooManyTries beyond so many in a window */
  const assertFew = (subject: string, most: number): Promise<void> => demandRoom(`enrolment ${subject}`, WINDOW_MS, most)

  /** @throws InvalidRequest for a moment that is over or too far away */
  function endOf({ hours, expiresAt }: LinkWishes, now: number): number {
    if (expiresAt == null) return now + (hours ?? ENROLMENT_LINK) * HOUR
    if (expiresAt <= now) throw new InvalidRequest([{ path: 'expiresAt', rule: 'inFuture' }])
    if (expiresAt > now + ENROLMENT_LINK_MAX * HOUR)
      throw new InvalidRequest([{ path: 'expiresAt', rule: 'linkTooLong', params: { limit: ENROLMENT_LINK_MAX / 24 } }])
    return expiresAt
  }

  /** Whom a link is for. @throws NotFound, InvalidRequest for what is not there */
  async function holderOf(scope: Scope, { personId, groupId, kind }: LinkWishes) {
    const [group] = groupId == null ? [] : await groups.names(scope, [groupId])
    if (group === undefined && (groupId != null || personId == null)) throw new InvalidRequest([{ path: 'groupId', rule: 'unknown' }])
    if (personId == null) return { personId: null, groupId: group!.id, kind, label: group!.name, personName: '' }
    const [[person], [facts]] = await Promise.all([people.describe(scope, [personId]), people.facts(scope, [personId])])
    // Whom one looks out for is not asked for his photograph.
    if (person === undefined || facts === undefined || person.kind === 'special') throw new NotFound()
    if (!facts.enabled) refuse(200224, 'personId')
    return { personId, groupId: person.groupId, kind: person.kind as PersonKind, label: person.groupName, personName: person.name }
  }

  return {
    async list(scope, query) {
      const { content, total } = await data.listLinks(scope, db, query, platform.clock.now())
      const [named, persons] = await Promise.all([
        groups.names(
          scope,
          content.map(({ groupId }) => groupId),
        ),
        people.describe(
          scope,
          content.flatMap(({ personId }) => personId ?? []),
        ),
      ])
      const groupNames = new Map(named.map(({ id, name }) => [id, name]))
      const personNames = new Map(persons.map(({ id, name }) => [id, name]))
      return {
        total,
        content: content.map(({ parkId: _, ...link }) => ({
          ...link,
          personName: personNames.get(link.personId ?? '') ?? '',
          groupName: groupNames.get(link.groupId) ?? '',
          kind: link.kind as PersonKind,
          createdAt: link.createdAt as number,
          expiresAt: link.expiresAt as number,
          applications: link.applications ?? 0,
        })),
        page: query.page,
        size: query.size,
      }
    },
    async create(scope, wishes, origin) {
      const { label, personName, ...holder } = await holderOf(scope, wishes)
      const id = newId()
      const token = randomBytes(TOKEN_BYTES).toString('base64url')
      const now = platform.clock.now()
      const expiresAt = endOf(wishes, now)
      // Behind the #: browsers send it to nobody, and no log has it.
      const url = `${(publicAddress(scope) ?? wishes.address ?? origin).replace(/\/+$/, '')}/enrol.html#${token}`
      const qr = await qrcode.toDataURL(url, { width: QR_WIDTH, margin: 2 })
      const localOnly = isLoopback(new URL(url).hostname)
      await platform.transaction(async (tx: Tx<EnrolmentTables>) => {
        await data.insertLink(scope, tx, { id, tokenHash: hashOf(token), ...holder, expiresAt }, now)
        const named = personName === '' ? { label } : { label: personName, labelMask: 'name' as const }
        platform.audit.note({ entity: 'enrolmentLink', id, ...named, after: { groupName: label, kind: holder.kind, expiresAt } })
      })
      return { id, url, qr, expiresAt, localOnly }
    },
    async revoke(scope, id) {
      await platform.transaction(async (tx: Tx<EnrolmentTables>) => {
        if (!(await data.deleteLink(scope, tx, id))) throw new NotFound()
        platform.audit.note({ entity: 'enrolmentLink', id, before: {} })
      })
    },
    async opened(token, ip) {
      const link = await data.findLinkUnscoped(db, hashOf(token), platform.clock.now())
      if (link !== undefined) return link
      // Counted after the look: 256 bits are not guessed, and whoever scans an old poster must not shut out the rest of the office.
      await assertFew(`wrong ${ip}`, WRONG_MAX)
      throw new InvalidRequest([{ path: 'token', rule: 'linkEnded' }])
    },
    admit: (link, ip) => assertFew(`handed in ${link.id} ${ip}`, HANDED_IN_MAX),
  }
}
