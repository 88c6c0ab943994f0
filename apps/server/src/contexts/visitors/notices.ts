/**
 * E-mails and text messages to visitors, e-mails to hosts. E-mails are sent where a mail server is set up and there is an address, text
 * messages where the park has an account for them; nothing depends on either. By WeChat no visitor is reached: only a mini program could
 * learn who its user is there, and there is none.
 */
import { INVITATION_LINK } from '@gatehouse/contract'
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import { calendarFile } from '@gatehouse/contract/visitors/calendar'
import type { MessageOccasion } from '@gatehouse/contract/visitors/messaging'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Attachment } from '../../platform/messages/messages-types.ts'
import type { Scope } from '../../platform/session/session.ts'
import { mailText } from '../../platform/texts.ts'
import type { Configuration } from './configuration.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import { openersOf, type VisitDetails } from './details.ts'
import { pageAddress, type LinkTokens } from './link-tokens.ts'
import { findAddress } from './links-data.ts'
import { MESSAGE_TEXTS, shownTime } from './message-texts.ts'
import { findVisits, type VisitRow } from './visits-data.ts'

/** What a message says of a visit. */
type AnnouncedVisit = Pick<VisitRow, 'id' | 'details' | 'visitAt' | 'visitEndAt' | 'expiresAt'>
type Ways = Readonly<Record<'email' | 'sms', boolean>>

export interface Notices {
  /** Report to the visitor, by text message, a reservation that a user made. */
  reserved(tx: Transaction, scope: Scope, visit: AnnouncedVisit): Promise<void>
  /** Report a decision about a visit that is locked. @param status after it */
  decided(tx: Transaction, scope: Scope, before: VisitRow, status: number): Promise<void>
  /** Send an invitation with its link in these ways; return those that were possible. */
  invited(tx: Transaction, scope: Scope, visit: VisitRow, link: string, ways: Ways): Promise<Ways>
  /** Send the host of a visit a link to it: because the visit waits for them, or because the visitor is here. */
  notifyHost(tx: Transaction, scope: Scope, visitId: string, why: 'visitToConfirm' | 'visitorArrived'): Promise<void>
}

const WAITING: readonly number[] = [visitorStatus.pendingReview, visitorStatus.toConfirm]
const BOTH: Ways = { email: true, sms: true }

/** Return what a change of status is about. */
function occasionOf(before: number, after: number): MessageOccasion | null {
  if (before === after) return null
  if (after === visitorStatus.refused) return 'reject'
  if (after === visitorStatus.cancelled) return 'revoke'
  return after === visitorStatus.notYetVisited && WAITING.includes(before) ? 'approve' : null
}

const WITH_CALENDAR: readonly MessageOccasion[] = ['invite', 'approve']

/** A message that leaves in the transaction of its visit. */
interface Letter {
  occasion: MessageOccasion
  ways: Ways
  /** Null: there is no page to lead to. */
  linkTo: () => Promise<string | null>
}

export function createNotices(
  { clock, crypto, messages }: Pick<Platform, 'clock' | 'crypto' | 'messages'>,
  { organisation, people, publicAddress }: Pick<VisitorsDependencies, 'organisation' | 'people' | 'publicAddress'>,
  configuration: Pick<Configuration, 'of'>,
  tokens: LinkTokens,
): Notices {
  const detailsOf = async (scope: Scope, { id, details }: AnnouncedVisit): Promise<VisitDetails> =>
    (await openersOf(crypto, scope)).visit(id, details)

  /** Return the entry for the visitor's calendar. */
  function calendarOf(scope: Scope, visit: AnnouncedVisit, language: VisitDetails['language'], link: string): Attachment {
    const { companyName, address } = configuration.of(scope)
    const { text: title } = mailText(language, 'visitCalendar', { place: companyName || organisation.park(scope).name })
    const times = { visitTime: visit.visitAt, visitEndTime: visit.visitEndAt }
    const text = calendarFile({ ...times, address }, title, clock.now(), link)
    return { filename: 'visit.ics', contentType: 'text/calendar; charset=utf-8', text }
  }

  /**
   * Send a message about a visit. It has no text that the visitor typed: a page without a session must not send what it likes to whom it
   * likes.
   */
  async function send(tx: Transaction, scope: Scope, visit: AnnouncedVisit, { occasion, ways, linkTo }: Letter): Promise<Ways> {
    const { email, phone, language } = await detailsOf(scope, visit)
    const { parkId } = scope
    const isMailed = ways.email && messages.delivers && email !== null
    const isTexted = ways.sms && phone !== '' && messages.carries('sms', { parkId, occasion })
    if (!isMailed && !isTexted) return { email: false, sms: false }
    const link = await linkTo()
    const { name: park, zone } = organisation.park(scope)
    const time = shownTime(language, zone, visit.visitAt)
    const words = mailText(language, MESSAGE_TEXTS[occasion], { park, time, link: link ?? '', hours: String(INVITATION_LINK) })
    if (isMailed && link !== null) {
      const attachments = WITH_CALENDAR.includes(occasion) ? [calendarOf(scope, visit, language, link)] : []
      await messages.send(tx, { channel: 'email', to: email, userId: null, ...words, attachments })
    }
    if (isTexted) {
      const template = { parkId, occasion, values: { park, time, ...(link !== null && link !== '' && { link }) } }
      await messages.send(tx, { channel: 'sms', to: phone, userId: null, subject: '', text: words.text, template })
    }
    return { email: isMailed && link !== null, sms: isTexted }
  }

  /** Make a link to a visit; null where no trusted address of this installation is there to begin it with. */
  async function makeLink(tx: Transaction, scope: Scope, row: AnnouncedVisit, kind: 'visit' | 'host'): Promise<string | null> {
    const address = publicAddress(scope) ?? (await findAddress(scope, tx, row.id))
    if (address === null) return null
    const token = tokens.random()
    await tokens.store(tx, scope, { kind, token, visitId: row.id, address, expiresAt: row.expiresAt })
    return pageAddress(address, kind, token)
  }

  return {
    async reserved(tx, scope, visit) {
      await send(tx, scope, visit, {
        occasion: 'appointment',
        ways: { email: false, sms: true },
        linkTo: () => makeLink(tx, scope, visit, 'visit'),
      })
    },
    async decided(tx, scope, before, status) {
      const occasion = occasionOf(before.status, status)
      if (occasion === null) return
      const linkTo = async () => (occasion === 'approve' ? makeLink(tx, scope, before, 'visit') : '')
      await send(tx, scope, before, { occasion, ways: BOTH, linkTo })
    },
    invited: (tx, scope, visit, link, ways) => send(tx, scope, visit, { occasion: 'invite', ways, linkTo: async () => link }),
    async notifyHost(tx, scope, visitId, why) {
      if (!messages.delivers) return
      const [row] = await findVisits(scope, tx, [visitId])
      if (row === undefined || row.hostId === null) return
      const email = await people.staffEmail(scope, row.hostId, tx)
      if (email === null) return
      const link = await makeLink(tx, scope, row, 'host')
      // Of an arrival the host is told even where no address is there to begin a link with.
      if (link === null && why === 'visitToConfirm') return
      const { language } = await detailsOf(scope, row)
      const { name: park, zone } = organisation.park(scope)
      const words = mailText(language, why, { park, time: shownTime(language, zone, row.visitAt), link: link ?? '' })
      await messages.send(tx, { channel: 'email', to: email, userId: null, ...words })
    },
  }
}
