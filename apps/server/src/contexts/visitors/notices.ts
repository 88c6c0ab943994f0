/** E-mails to visitors. They are sent where a mail server is set up and the visit has an address; nothing depends on them. */
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
import type { VisitRow } from './visits-data.ts'

export interface Notices {
  /** Report a decision about a visit that is locked. @param status after it */
  decided(tx: Transaction, scope: Scope, before: VisitRow, status: number): Promise<void>
  /** Send an invitation with its link; return whether there was an address to send it to. */
  invited(tx: Transaction, scope: Scope, visit: VisitRow, link: string): Promise<boolean>
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
  { organisation, publicAddress }: Pick<VisitorsDependencies, 'organisation' | 'publicAddress'>,
  tokens: LinkTokens,
): Notices {
  /**
   * Send an e-mail about a visit. It has no text that the visitor typed: a page without a session must not send what it likes to whom it
   * likes.
   */
  async function send(
    tx: Transaction,
    scope: Scope,
    row: VisitRow,
    name: Parameters<typeof mailText>[1],
    linkTo: () => Promise<string | null>,
  ): Promise<boolean> {
    if (!messages.delivers) return false
    const { email, language } = (await openersOf(crypto, scope)).visit(row.id, row.details)
    if (email === null) return false
    const link = await linkTo()
    if (link === null) return false
    const { name: park, zone } = organisation.park(scope)
    const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone: zone }).format(row.visitAt)
    const values = { park, time, link, hours: String(INVITATION_LINK) }
    await messages.send(tx, { channel: 'email', to: email, userId: null, ...mailText(language, name, values) })
    return true
  }

  /** Make a link to the state of a visit; null where no trusted address of this installation is there to begin it with. */
  async function statusLink(tx: Transaction, scope: Scope, row: VisitRow): Promise<string | null> {
    const address = publicAddress(scope) ?? (await findAddress(scope, tx, row.id))
    if (address === null) return null
    const token = tokens.random()
    await tokens.store(tx, scope, { kind: 'visit', token, visitId: row.id, address, expiresAt: row.expiresAt })
    return pageAddress(address, 'visit', token)
  }

  return {
    async decided(tx, scope, before, status) {
      const name = mailOf(before.status, status)
      if (name === null) return
      await send(tx, scope, before, name, async () => (name === 'visitAccepted' ? statusLink(tx, scope, before) : ''))
    },
    invited: (tx, scope, visit, link) => send(tx, scope, visit, 'visitInvitation', async () => link),
  }
}
