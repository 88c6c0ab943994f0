/** What users do with their own account: data, password, sessions, codes to a telephone. */
import { isTelephone } from '@gatehouse/contract/account'
import type { Platform } from '../../platform/context.ts'
import { NotFound, forbid, refuse } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'
import { mailText } from '../../platform/texts.ts'
import { CODE_MINUTES } from './codes.ts'
import * as data from './data.ts'
import { createOwnDetails } from './own-details.ts'
import { createOwnPasswords } from './own-passwords.ts'
import { openNumbers, type PersonalNumbers } from './personal-numbers.ts'

import type { OwnAccount, OwnParts } from './own-types.ts'

export function createOwnAccount(platform: Platform, parts: OwnParts): OwnAccount {
  const db = platform.db
  const { organisation, sessions, codes } = parts

  async function read(session: Session): Promise<data.Account & PersonalNumbers> {
    const account = session.kind === 'user' ? await data.findAccountUnscoped(db, { id: session.userId }) : undefined
    if (account === undefined) forbid()
    return { ...account, ...(await openNumbers(platform, account)) }
  }

  function phoneSubject(session: Session, phone: string, ip: string) {
    if (!isTelephone(phone)) refuse(900114, 'phone')
    return { subject: `phone ${session.userId} ${phone}`, counted: session.userId, ip }
  }

  return {
    read,
    ...createOwnDetails(platform, parts, read),
    ...createOwnPasswords(platform, parts, read),
    async sessions(session) {
      if (session.kind === 'client') return []
      const rows = await sessions.openOf(session.userId)
      return rows.map(({ id, parkId, ip, agent, createdAt, seenAt }) => ({
        id,
        current: id === session.tokenId,
        ip,
        agent,
        parkName: organisation.get(parkId)?.name ?? '',
        createdAt,
        seenAt,
      }))
    },
    async endSession(session, id) {
      const found = session.kind === 'user' ? (await sessions.openOf(session.userId)).find((one) => one.id === id) : undefined
      if (found === undefined) throw new NotFound()
      await sessions.revoke({ tokenId: id, park: organisation.park({ parkId: found.parkId }) })
      return { id }
    },
    endOtherSessions: async (session) => ({
      ended: session.kind === 'client' ? 0 : await sessions.revokeAll({ userId: session.userId }, session.tokenId),
    }),
    async phoneCode(session, phone, ip, language) {
      const code = await codes.make(phoneSubject(session, phone, ip))
      const template = { parkId: session.park.id, occasion: 'authorisationCode', values: { code } } as const
      await platform.transaction(async (tx) => {
        await platform.messages.send(tx, {
          channel: 'sms',
          to: phone,
          userId: session.kind === 'user' ? session.userId : null,
          usefulMs: CODE_MINUTES * 60_000,
          ...mailText(language, 'phoneCode', { code, minutes: String(CODE_MINUTES) }),
          template,
        })
      })
      // Where the park sends no text messages, the message stays in the outbox.
      return { validMinutes: CODE_MINUTES, delivered: platform.messages.carries('sms', template) }
    },
    async checkPhoneCode(session, phone, code, ip) {
      await codes.check(phoneSubject(session, phone, ip), code)
      return { verified: true }
    },
  }
}
