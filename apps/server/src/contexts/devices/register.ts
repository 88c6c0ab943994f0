/** Adds devices to the register, one or several at once: all or none. */
import type { BusinessCode } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import { isReferenced, violatedConstraint, type Database, type OpenTransaction, type Tx } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest, refusalOf } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { PairingDecision } from './authority.ts'
import * as data from './data.ts'
import { devicesChanged } from './events.ts'
import { groupNamed, type DeviceGroups } from './groups.ts'
import type { GroupRow } from './groups-data.ts'
import type { AddedDevice, Pairing } from './pairing.ts'
import type { DevicesTables } from './schema.ts'
import { issuesOf, logged, settingsOf, valuesOf, type DeviceFields, type Issue } from './values.ts'

/** Lets one more device of a type in, or one that changes to it, within the transaction that writes it. @throws InvalidRequest where a limit is used up */
export type Admit = (tx: OpenTransaction, scope: Scope, type: number, of?: 'new' | 'changed') => Promise<void>

interface Parts {
  admit: Admit
  groups: DeviceGroups
  pairing: Pairing
}

/** Where a field of a row stands in the request. */
export type PathOf = (row: number, field: string) => string

/** What unique indexes refuse, by their names. */
const TAKEN: Readonly<Record<string, Issue>> = {
  device_code: { field: 'code', code: 400006 },
  device_digital_code: { field: 'digitalCode', code: 400006 },
  device_name: { field: 'name', code: 400005 },
}
const GROUP_GONE: Issue = { field: 'groupId', rule: 'unknown' }
/** The field whose value another device has, or whose group was deleted since it was looked up, where that is what failed. */
export const takenBy = (error: unknown): Issue | undefined => (isReferenced(error) ? GROUP_GONE : TAKEN[violatedConstraint(error) ?? ''])

interface Placed {
  path: string
  issue: Issue
}

/** The refusal of everything that is wrong with devices, each at its field. */
export const refusedFor = (placed: readonly Placed[]): Error =>
  refusalOf(placed.map(({ path, issue: { code, rule } }) => ({ path, rule: rule ?? 'invalid', code: code as BusinessCode | undefined })))

export function createRegistration(
  platform: Platform,
  { admit, groups, pairing }: Parts,
): (scope: Scope, rows: readonly DeviceFields[], decision: PairingDecision, pathOf: PathOf) => Promise<AddedDevice[]> {
  const db = platform.db as unknown as Database<DevicesTables>

  /** Everything that is wrong with the rows, by themselves, against each other and against what is there. */
  async function wrongWith(scope: Scope, rows: readonly DeviceFields[], all: readonly GroupRow[], pathOf: PathOf): Promise<Placed[]> {
    const lower = (texts: (string | null | undefined)[]): string[] => texts.flatMap((text) => (text ? [text.toLowerCase()] : []))
    const taken = await data.findTaken(scope, db, {
      codes: lower(rows.map(({ code }) => code)),
      names: lower(rows.map(({ name }) => name)),
      digitalCodes: lower(rows.map(({ digitalCode }) => digitalCode)),
    })
    return rows.flatMap((fields, row) => {
      const issues = issuesOf(fields, groupNamed(scope, all, fields.groupId), null)
      /** The second of two is the one that is wrong. */
      const claim = (set: Set<string>, text: string | null | undefined, issue: Issue): void => {
        if (!text) return
        if (set.has(text.toLowerCase())) issues.push(issue)
        set.add(text.toLowerCase())
      }
      claim(taken.codes, fields.code, TAKEN['device_code']!)
      claim(taken.names, fields.name, TAKEN['device_name']!)
      claim(taken.digitalCodes, fields.digitalCode, TAKEN['device_digital_code']!)
      return issues.map((issue) => ({ path: pathOf(row, issue.field), issue }))
    })
  }

  /** What the limit of an institution says of `type` is about this row's. */
  const placedAt = (error: unknown, row: number, pathOf: PathOf): unknown =>
    error instanceof InvalidRequest ? new InvalidRequest(error.fields.map((field) => ({ ...field, path: pathOf(row, field.path) }))) : error

  return async (scope, rows, { by, pairs, release }, pathOf) => {
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
    await platform.transaction(async (tx: Tx<DevicesTables>) => {
      for (const [row, { id, code, values, stored, group }] of devices.entries()) {
        await admit(tx as OpenTransaction, scope, values.type).catch((error: unknown) => {
          throw placedAt(error, row, pathOf)
        })
        const now = platform.clock.now()
        const authority = { author: pairs ? by : null, release: release ? { at: now, by: by.operator } : null }
        await data.insertDevice(scope, tx, { ...values, ...stored, ...authority, id, code }, now).catch((error: unknown) => {
          // Somebody was quicker.
          const issue = takenBy(error)
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
