/** Devices as other areas read them. */
import { createHash } from 'node:crypto'
import type { DeviceFacts } from '@gatehouse/contract/device/protocol-status'
import type { Platform } from '../../platform/context.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import { sizesOf } from '../../platform/tree.ts'
import * as data from './data.ts'
import { countByGroup } from './groups-data.ts'
import type { DeviceGroups } from './groups.ts'
import { DEVICE_PASSWORD } from './schema.ts'
import type { ServiceNeeds, DevicesService } from './service-types.ts'

/** Configuration of a device for which nothing is set. */
const UNSET = { configuration: null, secretsRevision: '' }

/** Return a value that changes when a terminal must fetch its secrets again; sealing the same password again changes it, too. */
const revisionOf = (devicePassword: Buffer | null): string =>
  devicePassword === null ? '' : createHash('sha256').update(devicePassword).digest('hex').slice(0, 16)

export function createDeviceFacts(
  platform: Platform,
  groups: DeviceGroups,
  { configured }: Pick<ServiceNeeds, 'configured'>,
): Pick<DevicesService, 'facts' | 'register' | 'secretsOf' | 'released' | 'groupRows' | 'names' | 'groupNames' | 'idsInGroups' | 'sizes'> {
  const db = platform.db
  const from = (within: Transaction | undefined): Database => within ?? db

  return {
    facts: async (scope, ids, within) =>
      (await data.findDevices(scope, from(within), ids)).map(
        ({ id, name, code, type, groupId, direction, releasedAt, facts: reported }) => ({
          id,
          name,
          code,
          type,
          groupId,
          direction,
          released: releasedAt !== null,
          apkName: (reported as DeviceFacts).apkName ?? '',
        }),
      ),
    async register(scope) {
      const rows = await data.findRegister(scope, db)
      const set = await configured(
        scope,
        rows.map(({ id }) => id),
      )
      return rows.map(({ devicePassword, releasedAt, ...row }) => {
        const { configuration, secretsRevision } = set.get(row.id) ?? UNSET
        return {
          ...row,
          configuration,
          secretsRevision: [secretsRevision, revisionOf(devicePassword)].filter(Boolean).join('.'),
          released: releasedAt !== null,
        }
      })
    },
    async secretsOf(scope, id) {
      const secrets = await data.findSecrets(scope, db, id)
      if (secrets === undefined) throw new NotFound()
      const { devicePassword } = secrets
      if (devicePassword === null) return { devicePassword }
      return { devicePassword: (await platform.crypto.open(scope.parkId, placeOf(DEVICE_PASSWORD, id), devicePassword)).toString() }
    },
    released: async (scope, within) =>
      (await data.findRegister(scope, from(within))).flatMap(({ id, name, groupId, releasedAt }) =>
        releasedAt === null ? [] : [{ id, name, groupId }],
      ),
    groupRows: groups.rows,
    names: async (scope, ids, within) => (await data.findDevices(scope, from(within), ids)).map(({ id, name }) => ({ id, name })),
    async groupNames(scope, ids) {
      const idsNamed = new Set(ids)
      return (await groups.list(scope)).filter((group) => idsNamed.has(group.id)).map(({ id, name }) => ({ id, name }))
    },
    idsInGroups: async (scope, groupIds) => data.findDeviceIdsInGroups(scope, db, await groups.withDescendants(scope, groupIds)),
    async sizes(scope, selections) {
      const named = await data.findDevices(scope, db, [...new Set(selections.flatMap(({ ids }) => ids))])
      const [rows, sizes] = await Promise.all([groups.rows(scope), countByGroup(scope, db)])
      return sizesOf(selections, rows, sizes, new Map(named.map(({ id, groupId }) => [id, groupId])))
    },
  }
}
