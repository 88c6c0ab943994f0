/** When a login needs a captcha. */
import type { Platform } from '../../platform/context.ts'
import type { Counted, Line } from './login-failures.ts'
import type { Claim } from './login-proof-types.ts'

/** Number of failures from which on a captcha is required. */
export const CAPTCHA_AFTER = 3

type Config = Pick<Platform['config'], 'captcha'>

/** Return whether a captcha may be demanded at all: the installation has captchas, and the user is not logged in yet. */
export const mayAskCaptcha = (config: Config, { loggedIn }: Pick<Claim, 'loggedIn'>): boolean => config.captcha && loggedIn === undefined

/** Return whether the next try needs a captcha. A known browser is not affected by the failures of others. */
export function needsCaptcha(
  config: Config,
  claim: Pick<Claim, 'loggedIn'>,
  { from }: Line,
  { count, everywhere }: Pick<Counted, 'count' | 'everywhere'>,
): boolean {
  return mayAskCaptcha(config, claim) && (from.kind === 'device' ? count : everywhere) >= CAPTCHA_AFTER
}
