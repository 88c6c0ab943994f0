/** What the login form says about a refusal. */
import i18next from 'i18next'
import { code } from '@gatehouse/contract'
import { sentenceOf, type Refusal } from '../../kit/refusal.ts'

/** A wrong password also says how many times in a row it was wrong, and how many lock the account. */
export function loginSentence(refusal: Refusal): string {
  const { failures, limit } = refusal.data
  if (refusal.code !== code.wrongCredentials || typeof failures !== 'number' || failures === 0) return sentenceOf(refusal)
  return i18next.t('errors:client.PASSWORD_COUNT_WARNING', { failures, limit: Number(limit) })
}
