/** Links for self-enrolment: valid until their end, and identified by a token of which only the hash is stored. */
import { randomBytes } from 'node:crypto'
import qrcode from 'qrcode'
import type { z } from 'zod'
import { type DataOf, ENROLMENT_LINK, ENROLMENT_LINK_MAX } from '@gatehouse/contract'
import type { EnrolmentLink, enrolmentCalls } from '@gatehouse/contract/enrolment/calls'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import type { Platform } from '../../platform/context.ts'
import { newId } from '../../platform/database/ids.ts'
import { isLoopback } from '../../platform/http/loopback.ts'
import { InvalidRequest, NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import { type GroupService, type PeopleService, VISITOR_KIND } from '../people/index.ts'
import * as data from './data.ts'

type LinkFields = z.output<(typeof enrolmentCalls)['createLink']['body']>

export interface Links {
  list(
    scope: Scope,
    query: { page: number; size: number },
  ): Promise<{ total: number; content: EnrolmentLink[]; page: number; size: number }>
  /** Create a link; its address is in this answer and nowhere else. @param origin of the request */
  create(scope: Scope, fields: LinkFields, origin: string): Promise<DataOf<(typeof enrolmentCalls)['createLink']>>
  revoke(scope: Scope, id: string): Promise<void>
  /** @throws InvalidRequest for an unknown token, or an ended or revoked link alike; TooManyTries after too many from this address */
  opened(token: string, ip: string): Promise<data.LinkRow>
  /** Count a submitted photo. @throws TooManyTries */
  admit(link: data.LinkRow, ip: string): Promise<void>
}

const TOKEN_BYTES = 32
/** Pixels of each side: sharp on every screen and on paper. */
const QR_WIDTH = 640
const HOUR = 3_600_000
const WINDOW_MS = HOUR / 4
/** Unknown tokens from one address in a window. Many people in one network may scan a poster with an ended link. */
const WRONG_MAX = 60
/** Photos submitted through one link from one address in a window: an office shares its address. */
const HANDED_IN_MAX = 300

export interface LinkNeeds {
  people: PeopleService
  groups: GroupService
  /** Return the configured start of links; null if none is configured. */
  publicAddress(scope: Scope): string | null
  /** Count an attempt in the current window, or in a new one of `windowMs`. @throws TooManyTries beyond `most` in it */
  demandRoom(subject: string, windowMs: number, most: number): Promise<void>
}

export function createLinks(platform: Platform, { people, groups, publicAddress, demandRoom }: LinkNeeds): Links {
  const db = platform.db
  const hashOf = (token: string): Buffer => platform.crypto.blindIndex(`enrolment ${token}`)

  /** Count an attempt. @throws TooManyTries beyond `most` in a window */
  const assertFew = (subject: string, most: number): Promise<void> => demandRoom(`enrolment ${subject}`, WINDOW_MS, most)

  /** Return the end of a link. @throws InvalidRequest for a moment in the past or too far ahead */
  function endOf({ hours, expiresAt }: LinkFields, now: number): number {
    if (expiresAt == null) return now + (hours ?? ENROLMENT_LINK) * HOUR
    if (expiresAt <= now) throw new InvalidRequest([{ path: 'expiresAt', rule: 'inFuture' }])
    if (expiresAt > now + ENROLMENT_LINK_MAX * HOUR)
      throw new InvalidRequest([{ path: 'expiresAt', rule: 'linkTooLong', params: { limit: ENROLMENT_LINK_MAX / 24 } }])
    return expiresAt
  }

  /** Return the holder of a link. @throws NotFound, InvalidRequest for an unknown person or group */
  async function holderOf(scope: Scope, { personId, groupId, kind }: LinkFields) {
    const [group] = groupId == null ? [] : await groups.names(scope, [groupId])
    if (group === undefined && (groupId != null || personId == null)) throw new InvalidRequest([{ path: 'groupId', rule: 'unknown' }])
    if (personId == null) return { personId: null, groupId: group!.id, kind, label: group!.name, personName: '' }
    const [[person], [facts]] = await Promise.all([people.describe(scope, [personId]), people.facts(scope, [personId])])
    // No link is created for a person on the watch list, or for a visitor.
    if (person === undefined || facts === undefined || ['special', VISITOR_KIND].includes(person.kind)) throw new NotFound()
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
          applications: link.applications ?? 0,
        })),
        page: query.page,
        size: query.size,
      }
    },
    async create(scope, fields, origin) {
      const { label, personName, ...holder } = await holderOf(scope, fields)
      const id = newId()
      const token = randomBytes(TOKEN_BYTES).toString('base64url')
      const now = platform.clock.now()
      const expiresAt = endOf(fields, now)
      // After the #: browsers do not send this part to a server, so that no log contains it.
      const url = `${(publicAddress(scope) ?? fields.address ?? origin).replace(/\/+$/, '')}/enrol.html#${token}`
      const qr = await qrcode.toDataURL(url, { width: QR_WIDTH, margin: 2 })
      const localOnly = isLoopback(new URL(url).hostname)
      await platform.transaction(async (tx) => {
        await data.insertLink(scope, tx, { id, tokenHash: hashOf(token), ...holder, expiresAt }, now)
        const named = personName === '' ? { label } : { label: personName, labelMask: 'name' as const }
        platform.audit.note({ entity: 'enrolmentLink', id, ...named, after: { groupName: label, kind: holder.kind, expiresAt } })
      })
      return { id, url, qr, expiresAt, localOnly }
    },
    async revoke(scope, id) {
      await platform.transaction(async (tx) => {
        if (!(await data.deleteLink(scope, tx, id))) throw new NotFound()
        platform.audit.note({ entity: 'enrolmentLink', id, before: {} })
      })
    },
    async opened(token, ip) {
      const link = await data.findLinkUnscoped(db, hashOf(token), platform.clock.now())
      if (link !== undefined) return link
      // Counted after the lookup: 256 bits cannot be guessed, and a person with an old poster must not lock out the rest of the office.
      await assertFew(`wrong ${ip}`, WRONG_MAX)
      throw new InvalidRequest([{ path: 'token', rule: 'linkEnded' }])
    },
    admit: (link, ip) => assertFew(`handed in ${link.id} ${ip}`, HANDED_IN_MAX),
  }
}
