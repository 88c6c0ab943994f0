/** What the operations on a second factor share: the account, the check of a code, recovery codes, the notice and the log. */
import { CODES_PER_DAY, type Language } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { forbid, refuse } from '../../platform/http/refusal.ts'
import type { Session } from '../../platform/session/session.ts'
import { mailText } from '../../platform/texts.ts'
import { findAccountUnscoped, mailLanguageUnscoped, type Account } from './data.ts'
import { makeRecoveryCodes } from './one-time-codes.ts'
import { replaceRecoveryCodesUnscoped } from './second-factor-data.ts'
import type { SecondFactorParts } from './second-factor-types.ts'

const DAY_MS = 86_400_000

export function createSecondFactorOperations(
  { clock, audit, messages, db }: Platform,
  { attempts, check }: Pick<SecondFactorParts, 'attempts' | 'check'>,
) {
  /** Return the account of a user's session. @throws Refusal 100510 for an API user, who has none */
  async function accountOf(session: Session): Promise<Account> {
    const account = session.kind === 'user' ? await findAccountUnscoped(db, { id: session.userId }) : undefined
    return account ?? forbid()
  }

  /**
   * Count a try of a code, and take it back if the code is right.
   * @param attempt returns null for a wrong code
   * @throws Refusal 100115 for a wrong code, 100114 after too many tries within `windowMs`
   */
  async function counted<T>(subject: string, windowMs: number, attempt: () => Promise<T | null>): Promise<T> {
    if ((await attempts.add(db, subject, clock.now() + windowMs)) > CODES_PER_DAY) refuse(100114, 'code')
    const result = (await attempt()) ?? refuse(100115, 'code')
    await attempts.giveBack(subject)
    return result
  }

  /** Use up a code of the current factor. @throws as `counted` */
  const demandCode = (userId: string, code: string): Promise<true> =>
    counted(`second factor of ${userId}`, DAY_MS, async () => (await check.take(userId, code)) || null)

  /** Send the user a mail, if the account has an address. */
  async function notify(
    tx: Transaction,
    { id, account, email }: Pick<Account, 'id' | 'account' | 'email'>,
    text: 'secondFactorSet' | 'secondFactorRemoved' | 'secondFactorReset',
    language: Language,
  ): Promise<void> {
    if (email === '') return
    const mailLanguage = await mailLanguageUnscoped(tx, id, language)
    await messages.send(tx, { channel: 'email', to: email, userId: id, ...mailText(mailLanguage, text, { account }) })
  }

  const note = ({ id, realName }: Pick<Account, 'id' | 'realName'>, before: object, after: object): void =>
    audit.note({ entity: 'user', id, label: realName, labelMask: 'name', before: { ...before }, after: { ...after } })

  /** Make recovery codes in place of the former ones. */
  async function newRecoveryCodes(tx: Transaction, userId: string): Promise<string[]> {
    const codes = makeRecoveryCodes()
    await replaceRecoveryCodesUnscoped(
      tx,
      userId,
      codes.map((code) => check.hashOf(userId, code)),
    )
    return codes
  }

  return { accountOf, counted, demandCode, notify, note, newRecoveryCodes }
}
