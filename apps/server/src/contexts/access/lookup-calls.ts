/** Handlers of the calls other screens ask access control with, of calendars and of access groups. */
import { recordCalls } from '@gatehouse/contract/records/calls'
import { strategyCalls, timeRuleCalls } from '@gatehouse/contract/strategies/calls'
import { accessGroupCalls } from '@gatehouse/contract/strategies/access-groups'
import { handler, type MountedCall } from '../../platform/context.ts'
import type { AccessService } from './service.ts'

export const lookupHandlers = ({
  linkedRecords,
  relatedPersons,
  passwordIsFree,
  deviceStrategies,
  readCalendar,
}: AccessService): MountedCall[] => [
  handler(recordCalls.linkedOfPerson, ({ scope, query }) => linkedRecords(scope, query)),
  handler(strategyCalls.relatedPersons, ({ scope, body }) => relatedPersons(scope, body)),
  handler(strategyCalls.checkPassword, async ({ session, body }) => ({ free: await passwordIsFree(session, body) })),
  handler(timeRuleCalls.readCalendar, async ({ scope, file, body }) => readCalendar(scope, { file, text: body.text })),
  handler(strategyCalls.ofDevice, ({ scope, query }) => deviceStrategies.at(scope, query.deviceId)),
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
