/** What the login and the password forms say about a refusal. */
import i18next from 'i18next'
import { code, loginCodes } from '@gatehouse/contract'
import { sentenceOf, sentenceOfIssue, type Refusal } from '../../kit/refusal.ts'

/** A wrong password also says how many times in a row it was wrong, and how many lock the account. */
export function loginSentence(refusal: Refusal): string {
  const { failures, limit } = refusal.data
  const counted = typeof failures === 'number' && failures > 0
  if (refusal.code === code.wrongCredentials && counted)
    return i18next.t('errors:client.PASSWORD_COUNT_WARNING', { failures, limit: Number(limit) })
  // The login's own codes also come from calls that are no token call.
  if (Number(refusal.code) in loginCodes) return i18next.t(`errors:login.${refusal.code}`)
  // Nothing is wrong with the password: it has to be sent again.
  const spent = refusal.fields.find(({ rule }) => rule === 'cipherTextUsed' || rule === 'cipherTextExpired')
  return spent === undefined ? sentenceOf(refusal) : sentenceOfIssue(spent)
}
