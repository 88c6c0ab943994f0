/** Handlers of the calls other screens ask access control with, of calendars and of access groups. */
import { accessCalls } from '@gatehouse/contract/access/calls'
import { accessGroupCalls } from '@gatehouse/contract/access/groups'
import { accessLookupCalls } from '@gatehouse/contract/access/lookups'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { AccessService } from './service.ts'

export const lookupHandlers = ({
  linkedRecords,
  relatedPersons,
  passwordIsFree,
  deviceStrategies,
  readCalendar,
}: AccessService): MountedCall[] => [
  handler(accessLookupCalls.linkedRecordsOfPerson, ({ scope, query }) => linkedRecords(scope, query)),
  handler(accessLookupCalls.relatedPersons, ({ scope, body }) => relatedPersons(scope, body)),
  handler(accessLookupCalls.checkPassword, async ({ session, body }) => ({ free: await passwordIsFree(session, body) })),
  handler(accessCalls.readCalendar, async ({ scope, file, body }) => readCalendar(scope, { file, text: body.text })),
  handler(accessLookupCalls.strategiesOfDevice, ({ scope, query }) => deviceStrategies.at(scope, query.deviceId)),
]

export const accessGroupHandlers = ({ accessGroups, pendingChanges }: AccessService): MountedCall[] => [
  handler(accessGroupCalls.all, ({ scope }) => accessGroups.all(scope)),
  handler(accessGroupCalls.read, ({ scope, query }) => accessGroups.read(scope, query.id)),
  handler(accessGroupCalls.create, async ({ scope, body }) => ({ id: await accessGroups.create(scope, body) })),
  handler(accessGroupCalls.change, async ({ session, body }) => ({ id: await pendingChanges.make(session, 'accessGroup.change', body) })),
  handler(accessGroupCalls.delete, async ({ scope, params }) => {
    await accessGroups.delete(scope, params.id)
    return { id: params.id }
  }),
]
