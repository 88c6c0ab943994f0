/** E-mails to visitors and hosts. They are sent where a mail server is set up and there is an address; nothing depends on them. */
import { INVITATION_LINK } from '@gatehouse/contract'
import { visitorStatus } from '@gatehouse/contract/enums/visitors'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { mailText } from '../../platform/texts.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import { openersOf } from './details.ts'
import { pageAddress, type LinkTokens } from './link-tokens.ts'
import { findAddress } from './links-data.ts'
import { findVisits, type VisitRow } from './visits-data.ts'

export interface Notices {
  /** Report a decision about a visit that is locked. @param status after it */
  decided(tx: Transaction, scope: Scope, before: VisitRow, status: number): Promise<void>
  /** Send an invitation with its link; return whether there was an address to send it to. */
  invited(tx: Transaction, scope: Scope, visit: VisitRow, link: string): Promise<boolean>
  /** Send the host of a visit a link to it: because the visit waits for them, or because the visitor is here. */
  notifyHost(tx: Transaction, scope: Scope, visitId: string, why: 'visitToConfirm' | 'visitorArrived'): Promise<void>
}

const WAITING: readonly number[] = [visitorStatus.pendingReview, visitorStatus.toConfirm]

/** Return the e-mail about a change of status. */
function mailOf(before: number, after: number): 'visitAccepted' | 'visitRefused' | 'visitCancelled' | null {
  if (before === after) return null
  if (after === visitorStatus.refused) return 'visitRefused'
  if (after === visitorStatus.cancelled) return 'visitCancelled'
  return after === visitorStatus.notYetVisited && WAITING.includes(before) ? 'visitAccepted' : null
}

export function createNotices(
  { crypto, messages }: Pick<Platform, 'crypto' | 'messages'>,
  { organisation, people, publicAddress }: Pick<VisitorsDependencies, 'organisation' | 'people' | 'publicAddress'>,
  tokens: LinkTokens,
): Notices {
  /**
   * Send an e-mail about a visit in the language in which the visit was entered. It has no text that the visitor typed: a page without a
   * session must not send what it likes to whom it likes.
   * @param hostEmail address of the host; absent: it is sent to the visitor
   */
  async function send(
    tx: Transaction,
    scope: Scope,
    row: VisitRow,
    name: Parameters<typeof mailText>[1],
    linkTo: () => Promise<string | null>,
    hostEmail?: string,
  ): Promise<boolean> {
    if (!messages.delivers) return false
    const { email: visitorEmail, language } = (await openersOf(crypto, scope)).visit(row.id, row.details)
    const email = hostEmail ?? visitorEmail
    if (email === null) return false
    const link = await linkTo()
    if (link === null) return false
    const { name: park, zone } = organisation.park(scope)
    const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(row.visitAt)
    const values = { park, time, link, hours: String(INVITATION_LINK) }
    await messages.send(tx, { channel: 'email', to: email, userId: null, ...mailText(language, name, values) })
    return true
  }

  /** Make a link to a visit; null where no trusted address of this installation is there to begin it with. */
  async function linkTo(tx: Transaction, scope: Scope, row: VisitRow, kind: 'visit' | 'host'): Promise<string | null> {
    const address = publicAddress(scope) ?? (await findAddress(scope, tx, row.id))
    if (address === null) return null
    const token = tokens.random()
    await tokens.store(tx, scope, { kind, token, visitId: row.id, address, expiresAt: row.expiresAt })
    return pageAddress(address, kind, token)
  }

  return {
    async decided(tx, scope, before, status) {
      const name = mailOf(before.status, status)
      if (name === null) return
      await send(tx, scope, before, name, async () => (name === 'visitAccepted' ? linkTo(tx, scope, before, 'visit') : ''))
    },
    invited: (tx, scope, visit, link) => send(tx, scope, visit, 'visitInvitation', async () => link),
    async notifyHost(tx, scope, visitId, why) {
      if (!messages.delivers) return
      const [row] = await findVisits(scope, tx, [visitId])
      if (row === undefined || row.hostId === null) return
      const email = await people.staffEmail(scope, row.hostId, tx)
      if (email === null) return
      // Of an arrival the host is told even where no address is there to begin a link with.
      const without = why === 'visitorArrived' ? '' : null
      await send(tx, scope, row, why, async () => (await linkTo(tx, scope, row, 'host')) ?? without, email)
    },
  }
}
