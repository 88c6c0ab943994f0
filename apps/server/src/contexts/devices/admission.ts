/**
 * The register as others change it: a door that comes to stand elsewhere is put before what the park has written down.
 * One that is not released lets nobody pass wherever it stands, so it is when it is released.
 */
import type { Scope } from '../../platform/session/session.ts'
import type { PairingDecision } from './authority.ts'
import type { DeviceGroups } from './groups.ts'
import type { PairingSecret } from './pairing.ts'
import type { DevicesService } from './service.ts'

export interface AdmittedDevice {
  /** Of a new one an id that no other has. */
  id: string
  name: string
  groupId: string | null
}

export interface DeviceAdmission {
  /** Makes a change of where devices stand, unless what the park has written down stands in its way. @throws Hindered */
  admittingDevices<T>(scope: Scope, devices: () => Promise<AdmittedDevice[]>, field: string, work: () => Promise<T>): Promise<T>
  /** The same for a group that moves to below another. */
  admittingDeviceGroup<T>(scope: Scope, id: string, parentId: string | null, work: () => Promise<T>): Promise<T>
}

/** @param place where in a list it stands */
const unmade = ({ name, groupId = null }: { name: string; groupId?: string | null | undefined }, place: number): AdmittedDevice => ({
  id: `new ${place}`,
  name,
  groupId,
})

export function admittedDevices(service: DevicesService, { admittingDevices, admittingDeviceGroup }: DeviceAdmission): DevicesService {
  async function moved(scope: Scope, ids: readonly string[], groupId: string | null): Promise<AdmittedDevice[]> {
    const facts = await service.facts(scope, ids)
    return facts.flatMap(({ id, name, groupId: before, released }) => (before === groupId || !released ? [] : [{ id, name, groupId }]))
  }
  /** Makes a change by which persons go to a device. */
  const releasing = <T>(scope: Scope, id: string, work: () => Promise<T>): Promise<T> =>
    admittingDevices(scope, async () => (await service.facts(scope, [id])).filter(({ released }) => !released), '', work)
  const adding = <T>(
    scope: Scope,
    rows: readonly { name: string; groupId?: string | null | undefined }[],
    { release }: PairingDecision,
    field: string,
    work: () => Promise<T>,
  ): Promise<T> => (release ? admittingDevices(scope, async () => rows.map(unmade), field, work) : work())
  const groups: DeviceGroups = {
    ...service.groups,
    change(scope, id, fields) {
      const { parentId } = fields
      const save = (): Promise<void> => service.groups.change(scope, id, fields)
      return parentId === undefined ? save() : admittingDeviceGroup(scope, id, parentId, save)
    },
  }
  return {
    ...service,
    groups,
    pairing: {
      ...service.pairing,
      renew: (scope, id, decision) => {
        const renew = (): Promise<PairingSecret> => service.pairing.renew(scope, id, decision)
        return decision.release ? releasing(scope, id, renew) : renew()
      },
    },
    release: (scope, id, by) => releasing(scope, id, () => service.release(scope, id, by)),
    create: (scope, fields, decision) => adding(scope, [fields], decision, 'groupId', () => service.create(scope, fields, decision)),
    createMany: (scope, rows, decision) => adding(scope, rows, decision, '', () => service.createMany(scope, rows, decision)),
    change(scope, id, version, change) {
      const { groupId } = change
      const save = (): Promise<void> => service.change(scope, id, version, change)
      return groupId === undefined ? save() : admittingDevices(scope, () => moved(scope, [id], groupId), 'groupId', save)
    },
    move: (scope, ids, groupId) =>
      admittingDevices(
        scope,
        () => moved(scope, ids, groupId),
        'groupId',
        () => service.move(scope, ids, groupId),
      ),
  }
}
