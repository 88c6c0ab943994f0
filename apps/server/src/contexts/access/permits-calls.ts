/** Handlers of the calls by which persons are permitted where they are registered. */
import { permitCalls } from '@gatehouse/contract/approvals/permits'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { AccessService } from './service.ts'

export const permitHandlers = ({ permits, permitEffect }: AccessService): MountedCall[] => [
  handler(permitCalls.persons, ({ session, body, language }) => permits.permit(session, body, language)),
  handler(permitCalls.effect, ({ scope, body }) => permitEffect(scope, body)),
  handler(permitCalls.choices, ({ scope, body }) => permits.choices(scope, body)),
]
