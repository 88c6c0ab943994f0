/** E-mail addresses that alarms are sent to. */
import { z } from 'zod'
import { EMAIL_ALARM_ADDRESSES } from '@gatehouse/contract'
import { mask } from '@gatehouse/contract/masking'
import { Refusal, refuse } from '../../platform/http/refusal.ts'

const address = z.email()

/** Return addresses with the stored ones in place of those that are their masks; each stands for one. */
export function unmasked(sent: readonly string[], stored: readonly string[]): string[] {
  const left = stored.filter((email) => !sent.includes(email))
  return sent.map((email) => {
    const at = left.findIndex((one) => mask('email', one) === email)
    return at < 0 ? email : left.splice(at, 1)[0]!
  })
}

/** Return the addresses, each once. @throws Refusal 1200001, with the place of the first wrong one; 1200002 */
export function checkedAddresses(emails: readonly string[]): string[] {
  const wrong = emails.findIndex((email) => !address.safeParse(email).success)
  if (wrong >= 0) throw new Refusal(1200001, { fields: [{ path: 'emails', rule: 'code.1200001', params: { index: wrong } }] })
  const once = [...new Map(emails.map((email) => [email.toLowerCase(), email])).values()]
  if (once.length > EMAIL_ALARM_ADDRESSES) refuse(1200002, 'emails')
  return once
}
