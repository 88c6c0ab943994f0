/** The doors and exits of a restriction area. */
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint } from '../../platform/database/database.ts'
import { InvalidRequest, Refusal, refuse } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { AreaFields } from './areas-types.ts'
import * as data from './areas-data.ts'
import type { RestrictionDependencies } from './dependencies.ts'

export type Doors = Pick<AreaFields, 'deviceIds' | 'exitDeviceIds'>
const FIELDS = ['deviceIds', 'exitDeviceIds'] as const

export const distinct = (ids: readonly string[]): string[] => [...new Set(ids)].toSorted()
export const isUuid = (id: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)

export const devicesOf = ({ deviceIds, exitDeviceIds }: Doors) => [
  ...distinct(deviceIds).map((deviceId) => ({ deviceId, kind: 'door' as const })),
  ...distinct(exitDeviceIds).map((deviceId) => ({ deviceId, kind: 'exit' as const })),
]

export function createAreaDevices({ db }: Pick<Platform, 'db'>, devices: RestrictionDependencies['devices']) {
  /**
   * Check the devices that are sent. Devices that a change leaves out stay, whether or not they exist for the scope.
   * @throws InvalidRequest for each field that names a device this park does not have, or one twice
   */
  async function assertDevices(scope: Scope, sent: Partial<Doors>, doors: Doors): Promise<void> {
    const issues = await Promise.all(
      FIELDS.map(async (field) => {
        const ids = distinct(sent[field] ?? [])
        if (ids.every(isUuid) && (await devices.facts(scope, ids)).length === ids.length) return []
        return [{ path: field, rule: 'unknown' }]
      }),
    )
    const duplicates = doors.exitDeviceIds.some((id) => doors.deviceIds.includes(id)) ? [{ path: 'exitDeviceIds', rule: 'invalid' }] : []
    const wrong = [...issues.flat(), ...duplicates]
    if (wrong.length > 0) throw new InvalidRequest(wrong)
  }

  /** @throws Refusal 510012 with the names of the devices that are doors of another area */
  async function assertFree(scope: Scope, deviceIds: readonly string[], areaId: string | null): Promise<void> {
    const conflicts = await data.findDoorsOfOthers(scope, db, distinct(deviceIds), areaId)
    if (conflicts.length === 0) return
    const items = (await devices.facts(scope, conflicts)).map(({ name }) => name).toSorted()
    throw new Refusal(510012, { items, fields: [{ path: 'deviceIds', rule: 'code.510012' }] })
  }

  /** Return a handler that refuses what two concurrent calls did and a constraint found. */
  function refused(scope: Scope, fields: AreaFields, areaId: string | null) {
    return async (error: unknown): Promise<never> => {
      const constraint = violatedConstraint(error)
      if (constraint === 'restriction_area_name') refuse(900004, 'name')
      if (constraint === 'restriction_device_door') await assertFree(scope, fields.deviceIds, areaId)
      throw error
    }
  }

  async function doorsOf(scope: Scope, areaId: string): Promise<Doors> {
    const links = await data.findDevices(scope, db, [areaId])
    const of = (kind: string) => links.flatMap((link) => (link.kind === kind ? [link.deviceId] : []))
    return { deviceIds: of('door'), exitDeviceIds: of('exit') }
  }

  return { assertDevices, assertFree, refused, doorsOf }
}
