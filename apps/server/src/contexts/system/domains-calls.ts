/** Handlers of the domains' calls. */
import { lookCalls } from '@gatehouse/contract/system/look'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { Domains } from './domains.ts'

export const domainHandlers = (domains: Domains): MountedCall[] => [
  handler(lookCalls.domains, async ({ session, query: { page, size, ...filter } }) => {
    const found = domains.list(session, filter)
    return { total: found.length, content: found.slice((page - 1) * size, page * size), page, size }
  }),
  handler(lookCalls.addDomain, async ({ session, scope, body }) => ({ id: await domains.add(session, scope, body) })),
  handler(lookCalls.changeDomain, ({ session, scope, body }) => domains.change(session, scope, body)),
  handler(lookCalls.removeDomain, ({ session, params }) => domains.remove(session, params.id)),
]
