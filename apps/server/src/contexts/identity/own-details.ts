/** Changes of a user's own data. */
import type { Language } from '@gatehouse/contract'
import { isTelephone } from '@gatehouse/contract/account'
import { personal } from '@gatehouse/contract/identity/own'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { InvalidRequest, refuse } from '../../platform/http/refusal.ts'
import { unmasked } from '../../platform/session/masking.ts'
import { mailText } from '../../platform/texts.ts'
import { mailLanguageUnscoped } from './data.ts'
import type { OwnParts, OwnAccount } from './own-types.ts'
import { updatePersonalUnscoped } from './own-data.ts'
import { sealNumbers } from './personal-numbers.ts'
import { emailTakenUnscoped } from './users-data.ts'

/** Names of the mail texts. */
type Notice = 'emailChanged' | 'telephoneChanged'

export function createOwnDetails(
  platform: Platform,
  { sessions }: Pick<OwnParts, 'sessions'>,
  read: OwnAccount['read'],
): Pick<OwnAccount, 'updatePersonal'> {
  /** Send notices to the e-mail address that the account had before the change, if it had one. */
  async function notify(
    tx: Transaction,
    { id, account, email }: { id: string; account: string; email: string },
    notices: readonly Notice[],
    language: Language,
  ): Promise<void> {
    if (email === '') return
    const mailLanguage = await mailLanguageUnscoped(tx, id, language)
    for (const notice of notices)
      await platform.messages.send(tx, { channel: 'email', to: email, userId: id, ...mailText(mailLanguage, notice, { account }) })
  }

  return {
    async updatePersonal(session, body, language) {
      const stored = await read(session)
      const sent = unmasked(session, personal, body, {
        realName: stored.realName,
        email: stored.email,
        telephone: stored.telephone,
        idCard: stored.idCard,
      })
      const { realName = stored.realName } = sent
      // Absent: the stored value stays. Null: the value is removed.
      const valueOf = (field: 'email' | 'telephone' | 'idCard'): string => (sent[field] === undefined ? stored[field] : (sent[field] ?? ''))
      const [email, telephone, idCard] = [valueOf('email'), valueOf('telephone'), valueOf('idCard')]
      if (email.includes('*')) throw new InvalidRequest([{ path: 'email', rule: 'email' }])
      if (!isTelephone(telephone)) refuse(900114, 'telephone')
      const sealed = await sealNumbers(platform, stored.id, { telephone, idCard })
      const notices: Notice[] = [
        ...(email === stored.email ? [] : (['emailChanged'] as const)),
        ...(telephone === stored.telephone ? [] : (['telephoneChanged'] as const)),
      ]
      await sessions.changing([stored.id], async (tx) => {
        if (!platform.config.privatised && email !== '' && (await emailTakenUnscoped(tx, email, stored.id))) refuse(100112, 'email')
        await updatePersonalUnscoped(tx, stored.id, { realName, email, ...sealed }, platform.clock.now())
        platform.audit.note({
          entity: 'user',
          id: stored.id,
          label: realName,
          labelMask: 'name',
          before: { realName: stored.realName, email: stored.email, telephone: stored.telephone, idCard: stored.idCard },
          after: { realName, email, telephone, idCard },
        })
        await notify(tx, stored, notices, language)
      })
      return { id: stored.id }
    },
  }
}
