/** Adds devices to the register, one or several at once: all or none. */
import type { BusinessCode } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import { isReferenced, violatedConstraint, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest, refusalOf } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { DeviceAdmission } from './admission.ts'
import type { PairingDecision } from './policy.ts'
import * as data from './data.ts'
import { devicesChanged } from './events.ts'
import { groupNamed, type DeviceGroups } from './groups.ts'
import type { GroupRow } from './groups-data.ts'
import type { AddedDevice, Pairing } from './pairing.ts'
import { settingsOf } from './passage-settings.ts'
import { issuesOf, logged, valuesOf, type DeviceFields, type Issue } from './values.ts'

/**
 * Admit one more device of a type, or one that changes to it, within the transaction that writes it.
 * @throws InvalidRequest if a limit is reached
 */
export type Admit = (tx: Transaction, scope: Scope, type: number, of?: 'new' | 'changed') => Promise<void>

interface Parts {
  admit: Admit
  groups: DeviceGroups
  pairing: Pairing
  admission: Pick<DeviceAdmission, 'add'>
}

/** Returns the path of a row's field in the request. */
type PathOf = (row: number, field: string) => string

/** Paths in the request at which faults are reported. */
export interface RequestPaths {
  pathOf: PathOf
  /** The field at which a refusal by a written rule is reported. */
  refusedAt: string
}

/** Faults that unique indexes find, by index name. */
const UNIQUE_FAULTS: Readonly<Record<string, Issue>> = {
  device_code: { field: 'code', code: 400006 },
  device_digital_code: { field: 'digitalCode', code: 400006 },
  device_name: { field: 'name', code: 400005 },
}
const GROUP_DELETED: Issue = { field: 'groupId', rule: 'unknown' }
/** Return the fault behind a database error: a value another device has, or a group deleted meanwhile; undefined for other errors. */
export const databaseFault = (error: unknown): Issue | undefined =>
  isReferenced(error) ? GROUP_DELETED : UNIQUE_FAULTS[violatedConstraint(error) ?? '']

interface Placed {
  path: string
  issue: Issue
}

/** Return the refusal of all faults of devices, each at its field. */
export const refusedFor = (placed: readonly Placed[]): Error =>
  refusalOf(placed.map(({ path, issue: { code, rule } }) => ({ path, rule: rule ?? 'invalid', code: code as BusinessCode | undefined })))

export function createRegistration(
  platform: Platform,
  { admit, groups, pairing, admission }: Parts,
): (scope: Scope, rows: readonly DeviceFields[], decision: PairingDecision, paths: RequestPaths) => Promise<AddedDevice[]> {
  const db = platform.db

  /** Return all faults of the rows, by themselves, against each other and against existing devices. */
  async function wrongWith(scope: Scope, rows: readonly DeviceFields[], all: readonly GroupRow[], pathOf: PathOf): Promise<Placed[]> {
    const lower = (texts: (string | null | undefined)[]): string[] => texts.flatMap((text) => (text ? [text.toLowerCase()] : []))
    const taken = await data.findTaken(scope, db, {
      codes: lower(rows.map(({ code }) => code)),
      names: lower(rows.map(({ name }) => name)),
      digitalCodes: lower(rows.map(({ digitalCode }) => digitalCode)),
    })
    return rows.flatMap((fields, row) => {
      const issues = issuesOf(fields, groupNamed(scope, all, fields.groupId), null)
      /** Report a value that is taken; of two equal rows, the second is at fault. */
      const claim = (set: Set<string>, text: string | null | undefined, issue: Issue): void => {
        if (!text) return
        if (set.has(text.toLowerCase())) issues.push(issue)
        set.add(text.toLowerCase())
      }
      claim(taken.codes, fields.code, UNIQUE_FAULTS['device_code']!)
      claim(taken.names, fields.name, UNIQUE_FAULTS['device_name']!)
      claim(taken.digitalCodes, fields.digitalCode, UNIQUE_FAULTS['device_digital_code']!)
      return issues.map((issue) => ({ path: pathOf(row, issue.field), issue }))
    })
  }

  /** Move the refusal of a limit, which names `type`, to that field of this row. */
  const placedAt = (error: unknown, row: number, pathOf: PathOf): unknown =>
    error instanceof InvalidRequest ? new InvalidRequest(error.fields.map((field) => ({ ...field, path: pathOf(row, field.path) }))) : error

  return async (scope, rows, { by, pairs, release }, { pathOf, refusedAt }) => {
    const all = await groups.list(scope)
    const wrong = await wrongWith(scope, rows, all, pathOf)
    if (wrong.length > 0) throw refusedFor(wrong)
    const devices = await Promise.all(
      rows.map(async (fields) => {
        const group = groupNamed(scope, all, fields.groupId) ?? null
        const id = newId()
        return {
          id,
          code: fields.code,
          group,
          values: await valuesOf(platform.crypto, scope, id, fields, group, null),
          ...(pairs ? pairing.fresh() : { secret: null, stored: pairing.nothing() }),
        }
      }),
    )
    const transaction: Platform['transaction'] = release ? (work) => admission.add(scope, rows, refusedAt, work) : platform.transaction
    await transaction(async (tx) => {
      for (const [row, { id, code, values, stored, group }] of devices.entries()) {
        await admit(tx, scope, values.type).catch((error: unknown) => {
          throw placedAt(error, row, pathOf)
        })
        const now = platform.clock.now()
        const authority = { author: pairs ? by : null, release: release ? { at: now, by: by.operator } : null }
        await data.insertDevice(scope, tx, { ...values, ...stored, ...authority, id, code }, now).catch((error: unknown) => {
          // Another request took the value first.
          const issue = databaseFault(error)
          throw issue === undefined ? error : refusedFor([{ path: pathOf(row, issue.field), issue }])
        })
        const after = { code, ...logged(values, group?.name ?? null), released: release }
        platform.audit.note({ entity: 'device', id, label: values.name, after })
        await platform.history.note(tx, scope, 'device', id, settingsOf({ ...values, released: release }))
      }
      await platform.events.announce(tx, devicesChanged, scope.parkId, { deviceIds: devices.map(({ id }) => id) })
    })
    return devices.map(({ id, code, secret }) => ({ id, code, secret }))
  }
}
