/** Handlers of the device calls. */
import { deviceProtocolCalls } from '@gatehouse/contract/device/protocol-calls'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { handler, type MountedCall } from '../../platform/context.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import { decisionOf } from './policy.ts'
import type { Handshakes } from './handshake.ts'
import type { Placing } from './placing.ts'
import type { Removals } from './removal.ts'
import type { DevicesService } from './service-types.ts'
import type { SignIn } from './sign-in.ts'

export interface DeviceParts {
  /** Without the methods that place devices: `placing` offers these and checks who may use them. */
  service: Omit<DevicesService, 'change' | 'move' | 'groups'> & { groups: Omit<DevicesService['groups'], 'change'> }
  removals: Removals
  placing: Placing
  handshakes: Handshakes
  signIn: SignIn
}

export function deviceHandlers({ service, removals, placing, handshakes, signIn }: DeviceParts): MountedCall[] {
  return [
    handler(deviceProtocolCalls.challenge, ({ body }) => handshakes.challenge(body)),
    handler(deviceProtocolCalls.token, ({ body }) => handshakes.token(body)),
    handler(deviceCalls.signIn, ({ scope }) => signIn.read(scope)),
    handler(deviceCalls.saveSignIn, ({ scope, body }) => signIn.save(scope, body)),
    handler(deviceProtocolCalls.removal, ({ body }) => removals.answer(body)),
    handler(deviceCalls.list, ({ scope, query }) => service.list(scope, query)),
    handler(deviceCalls.read, ({ scope, params }) => service.read(scope, params.id)),
    handler(deviceCalls.create, ({ session, scope, body: { release, ...fields } }) =>
      service.create(scope, fields, decisionOf(session, release)),
    ),
    handler(deviceCalls.change, async ({ session, body: { id, version, ...fields } }) => {
      await placing.change(session, id, version, fields)
      return { id }
    }),
    handler(deviceCalls.createMany, ({ session, scope, body }) =>
      service.createMany(scope, body.devices, decisionOf(session, body.release)),
    ),
    handler(deviceCalls.move, async ({ session, body }) => ({ moved: await placing.move(session, body.ids, body.groupId) })),
    handler(deviceCalls.resetSecret, ({ session, scope, params, body }) =>
      service.pairing.renew(scope, params.id, decisionOf(session, body.release)),
    ),
    handler(deviceCalls.release, async ({ session, scope, params }) => {
      await service.release(scope, params.id, session)
      return { id: params.id }
    }),
    handler(deviceCalls.releaseEffect, ({ scope, params }) => service.releaseEffect(scope, params.id)),
    handler(deviceCalls.revoke, async ({ scope, params }) => {
      await service.pairing.revoke(scope, params.id)
      return { id: params.id }
    }),
    handler(deviceCalls.delete, async ({ scope, query }) => {
      if (query.ids === undefined || query.ids.length === 0) throw new InvalidRequest([{ path: 'ids', rule: 'required' }])
      return { deleted: await service.delete(scope, query.ids) }
    }),
    handler(deviceCalls.summary, ({ scope }) => service.summary(scope)),
    handler(deviceCalls.groupTree, ({ scope }) => service.groups.tree(scope)),
    handler(deviceCalls.deviceTree, ({ scope }) => service.groups.treeWithDevices(scope, false)),
    handler(deviceCalls.deviceAndGroupTree, ({ scope }) => service.groups.treeWithDevices(scope, true)),
    handler(deviceCalls.createGroup, async ({ scope, body }) => ({ id: await service.groups.create(scope, body) })),
    handler(deviceCalls.changeGroup, async ({ session, body: { id, ...fields } }) => {
      await placing.changeGroup(session, id, fields)
      return { id }
    }),
    handler(deviceCalls.deleteGroup, async ({ scope, query }) => {
      await service.groups.delete(scope, query.id)
      return { id: query.id }
    }),
  ]
}
