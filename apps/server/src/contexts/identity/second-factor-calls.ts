/** Handlers of second factors. */
import { secondFactorCalls } from '@gatehouse/contract/identity/second-factor'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { SecondFactors } from './second-factor-types.ts'

export function secondFactorHandlers(factors: SecondFactors): MountedCall[] {
  return [
    handler(secondFactorCalls.read, ({ session }) => factors.read(session)),
    handler(secondFactorCalls.begin, ({ session, body }) => factors.begin(session, body.code)),
    handler(secondFactorCalls.confirm, ({ session, body, language }) => factors.confirm(session, body.code, language)),
    handler(secondFactorCalls.renewRecoveryCodes, ({ session, body }) => factors.renewRecoveryCodes(session, body.code)),
    handler(secondFactorCalls.remove, ({ session, body, language }) => factors.remove(session, body.code, language)),
    handler(secondFactorCalls.reset, ({ session, params, language }) => factors.reset(session, params.id, language)),
    handler(secondFactorCalls.config, async () => factors.config()),
    handler(secondFactorCalls.saveConfig, async ({ session, body: { version, ...config } }) => factors.configure(session, config, version)),
  ]
}
