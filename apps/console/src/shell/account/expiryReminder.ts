/** Reminds the user after login that a password or an account is about to expire. */
import i18next from 'i18next'
import { EXPIRY_REMINDER } from '@gatehouse/contract'
import type { Profile } from '@gatehouse/contract/identity/calls'
import { feedback } from '../../kit/feedback.tsx'
import { daysUntil } from '../../kit/time.ts'

/** Seconds for which the reminder is shown. */
const STAYS = 12

/** Return the days left, if the user has to be reminded. */
const daysLeft = (at: number | null, now: number): number | null => {
  const days = at === null ? null : daysUntil(at, now)
  return days !== null && days > 0 && days <= EXPIRY_REMINDER ? days : null
}

export async function remindOfExpiry({ passwordExpiresAt, accountExpiresAt }: Profile, now: number = Date.now()): Promise<void> {
  const [password, account] = [daysLeft(passwordExpiresAt, now), daysLeft(accountExpiresAt, now)]
  if (password === null && account === null) return
  await i18next.loadNamespaces('account')
  const { notification } = await feedback()
  if (password !== null)
    notification.warning({
      key: 'password',
      duration: STAYS,
      title: i18next.t('account:reminder.password', { count: password }),
      description: i18next.t('account:reminder.passwordWords'),
    })
  if (account !== null)
    notification.warning({
      key: 'account',
      duration: STAYS,
      title: i18next.t('account:reminder.account', { count: account }),
      description: i18next.t('account:reminder.accountWords'),
    })
}
