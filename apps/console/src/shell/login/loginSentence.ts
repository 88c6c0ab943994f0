/** The sentences of the login and the password forms about a refusal. */
import i18next from 'i18next'
import { code, loginCode, loginCodes } from '@gatehouse/contract'
import { sentenceOf, sentenceOfIssue, type Refusal } from '../../api/refusal.ts'

interface Tried {
  /** Whether a captcha was answered; without one, none was answered wrongly. */
  captcha?: boolean
}

/**
 * Return the sentence of a refusal. For a wrong password it includes how many times in a row it was wrong, and how many lock the
 * account; for a wrong code, how many tries are left.
 */
export function loginSentence(refusal: Refusal, { captcha = true }: Tried = {}): string {
  const { failures, limit } = refusal.data
  const counted = typeof failures === 'number' && failures > 0
  if (refusal.code === code.wrongCredentials && counted)
    return i18next.t('errors:client.PASSWORD_COUNT_WARNING', { failures, limit: Number(limit) })
  if (refusal.code === loginCode.secondFactorWrong && counted)
    return i18next.t('account:oneTime.wrongLeft', { count: Number(limit) - failures })
  if (refusal.code === loginCode.captchaFailed && !captcha) return i18next.t('account:captcha.wanted')
  // Calls other than the token call also answer with the login's own codes.
  if (Number(refusal.code) in loginCodes) return i18next.t(`errors:login.${refusal.code}`)
  // The password is not wrong: it has to be encrypted and sent again.
  const spent = refusal.fields.find(({ rule }) => rule === 'cipherTextUsed' || rule === 'cipherTextExpired')
  return spent === undefined ? sentenceOf(refusal) : sentenceOfIssue(spent)
}
