/**
 * Changes that place a door elsewhere. They are checked against the park's written rules, in the transaction that makes them. A door that
 * is not released lets nobody pass wherever it is, so it is checked when it is released.
 */
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { AdmittedDevice, DeviceGuard } from './extension-points.ts'
import type { ReadDeviceFacts } from './read-facts.ts'

export interface DeviceGuarding {
  /**
   * Open a transaction and change the place of devices in it, unless a written rule of the park forbids the change.
   * @throws Hindered
   */
  admittingDevices: DeviceGuard['devices']
  /** The same for a group that is moved below another. */
  admittingDeviceGroup: DeviceGuard['group']
}

type Writing<T> = (tx: Transaction) => Promise<T>

/** Changes that are checked; each writes in the transaction it receives. @throws Hindered */
export interface DeviceAdmission {
  /** Add devices that are released at once. @param field field of the form at which a refusal is reported */
  add<T>(scope: Scope, rows: readonly { name: string; groupId?: string | null | undefined }[], field: string, write: Writing<T>): Promise<T>
  /** Release a device, so that persons may be sent to it. */
  release<T>(scope: Scope, id: string, write: Writing<T>): Promise<T>
  /** Move devices into a group. */
  move<T>(scope: Scope, ids: readonly string[], groupId: string | null, write: Writing<T>): Promise<T>
}

/** @param facts reads devices before the change */
export function createDeviceAdmission(
  facts: ReadDeviceFacts,
  { admittingDevices }: Pick<DeviceGuarding, 'admittingDevices'>,
): DeviceAdmission {
  return {
    add: (scope, rows, field, write) =>
      admittingDevices(
        scope,
        async () => rows.map(({ name, groupId = null }, place) => ({ id: `new ${place}`, name, groupId })),
        field,
        write,
      ),
    release: (scope, id, write) =>
      admittingDevices(scope, async (within) => (await facts(scope, [id], within)).filter(({ released }) => !released), '', write),
    move(scope, ids, groupId, write) {
      const moved = async (within: Transaction): Promise<AdmittedDevice[]> =>
        (await facts(scope, ids, within)).flatMap(({ id, name, groupId: before, released }) =>
          before === groupId || !released ? [] : [{ id, name, groupId }],
        )
      return admittingDevices(scope, moved, 'groupId', write)
    },
  }
}
