/** Handlers of API users. */
import { clientCalls } from '@gatehouse/contract/identity/clients'
import { handler, type MountedCall } from '../../platform/context.ts'
import { deletedId } from '../../platform/http/deleted-ids.ts'
import type { ClientService } from './clients-types.ts'

export function clientHandlers(clients: ClientService): MountedCall[] {
  return [
    handler(clientCalls.list, async ({ session, query }) => clients.list(session, query)),
    handler(clientCalls.read, async ({ session, query }) => clients.read(session, query.id)),
    handler(clientCalls.create, async ({ session, body }) => clients.create(session, body)),
    handler(clientCalls.change, async ({ session, body }) => {
      await clients.change(session, body)
      return { id: body.id }
    }),
    handler(clientCalls.delete, async ({ session, ...request }) => {
      const id = deletedId(request)
      await clients.delete(session, id)
      return { id }
    }),
    handler(clientCalls.enable, async ({ session, body }) => {
      await clients.setEnabled(session, body.id, body.status === 1)
      return { id: body.id }
    }),
    handler(clientCalls.resetSecret, async ({ session, params }) => clients.resetSecret(session, params.id)),
  ]
}
