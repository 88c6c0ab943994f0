/** Copies a template, or a device's own settings, to many devices: first as a preview, then all at once or not at all. */
import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { BATCH_MAX } from '@gatehouse/contract'
import type { CopyOutcome, copyOrder } from '@gatehouse/contract/configuration/calls'
import { OF_ONE_DEVICE, type SomeSettings } from '@gatehouse/contract/configuration/settings'
import type { Device } from '@gatehouse/contract/devices/device'
import type { Platform } from '../../platform/context.ts'
import type { Database } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { InvalidRequest, NotFound } from '../../platform/http/refusal.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
import { devicesChanged, type DevicesService } from '../devices/index.ts'
import { assertMaySetServer } from './policy.ts'
import { contradictionsOf } from './checks.ts'
import * as data from './data.ts'
import { effectiveOf, parkOf, touchedBy } from './effective.ts'
import { NO_SECRETS, logged, openSecrets, sealSecrets, sealedOf, type SealedSecrets, type Secrets } from './secrets.ts'
import { existingTemplates } from './templates.ts'

type CopyOrder = z.output<typeof copyOrder>
type SkippedDevice = CopyOutcome['leftOut'][number]

export interface Copies {
  /**
   * Return what copying would do.
   * @throws NotFound for a source or target that does not exist, InvalidRequest for more than 1,000 targets, Refusal
   * 100510 (403)
   */
  preview(session: Session, order: CopyOrder): Promise<CopyOutcome>
  /** Copy in one transaction. @throws as `preview` */
  copy(session: Session, order: CopyOrder): Promise<CopyOutcome>
}

/** What is copied, and the type and model of devices it fits. */
interface Source {
  settings: SomeSettings
  sealed: SealedSecrets
  secrets: Secrets
  type: number
  model: number
  /** Id of the source device; null for a template. */
  deviceId: string | null
}

type Target = Pick<Device, 'id' | 'name' | 'type' | 'model'>

/** The change of one device. */
interface Step {
  /** Id of its row, existing or new. */
  id: string
  device: Target
  row: data.SettingRow | undefined
  values: data.SettingValues
}

interface Plan {
  named: number
  applied: data.SettingRow[]
  steps: Step[]
  leftOut: SkippedDevice[]
}

const isOfOneDevice = ([field]: [string, unknown]): boolean => (OF_ONE_DEVICE as readonly string[]).includes(field)

export function createCopies(platform: Platform, devices: DevicesService): Copies {
  const db = platform.db

  async function sourceOf(scope: Scope, on: Database, { from, fromId }: CopyOrder): Promise<Source> {
    const isDevice = from === 'device'
    const row = isDevice
      ? (await data.findApplied(scope, on, [fromId])).find(({ kind }) => kind === 'device')
      : (await existingTemplates(scope, on, [fromId]))[0]
    const { type, model } = isDevice ? await devices.read(scope, fromId) : { type: row!.type!, model: row!.model! }
    const settings = Object.fromEntries(Object.entries(row?.settings ?? {}).filter((entry) => !isOfOneDevice(entry)))
    return {
      settings,
      sealed: sealedOf(row),
      secrets: await openSecrets(platform.crypto, scope, row),
      type,
      model,
      deviceId: isDevice ? fromId : null,
    }
  }

  async function targetsOf(scope: Scope, { deviceIds, groupId, type }: CopyOrder): Promise<Target[]> {
    if (groupId !== undefined && !(await devices.groupRows(scope)).some(({ id }) => id === groupId)) throw new NotFound()
    const members = groupId === undefined ? null : new Set(await devices.idsInGroups(scope, [groupId]))
    const found = deviceIds === undefined ? await devices.all(scope) : await devices.some(scope, deviceIds)
    if (deviceIds !== undefined && found.length < new Set(deviceIds).size) throw new NotFound()
    const targets = found.filter((device) => (type === undefined || device.type === type) && (members === null || members.has(device.id)))
    if (targets.length > BATCH_MAX) throw new InvalidRequest([{ path: 'deviceIds', rule: 'max.array', params: { limit: BATCH_MAX } }])
    return targets
  }

  /** Return the secrets of a device after copying; the device keeps those that the source does not have. */
  async function secretsFor(scope: Scope, source: Source, id: string, row: data.SettingRow | undefined): Promise<SealedSecrets> {
    if (source.sealed.secrets === null) return sealedOf(row)
    const kept = (row?.secretNames ?? []).filter((name) => !source.sealed.secretNames.includes(name))
    if (kept.length === 0) return sealSecrets(platform.crypto, scope, id, source.secrets, source.sealed.secretsRevision)
    return sealSecrets(platform.crypto, scope, id, { ...(await openSecrets(platform.crypto, scope, row)), ...source.secrets })
  }

  async function planned(session: Session, on: Database, order: CopyOrder): Promise<Plan> {
    const { scope } = session
    const [source, targets] = [await sourceOf(scope, on, order), await targetsOf(scope, order)]
    const applied = await data.findApplied(
      scope,
      on,
      targets.map(({ id }) => id),
    )
    const rows = new Map(applied.map((row) => [row.deviceId, row]))
    const plan: Plan = { named: targets.length, applied, steps: [], leftOut: [] }
    for (const device of targets) {
      const { id, name } = device
      const row = rows.get(id)
      const settings = { ...source.settings, ...Object.fromEntries(Object.entries(row?.settings ?? {}).filter(isOfOneDevice)) }
      const reason =
        id === source.deviceId
          ? 'itself'
          : device.type !== source.type
            ? 'otherType'
            : device.model !== source.model
              ? 'otherModel'
              : contradictionsOf(effectiveOf(parkOf(applied), settings)).length > 0
                ? 'contradiction'
                : null
      if (reason !== null) {
        plan.leftOut.push({ id, name, reason })
        continue
      }
      assertMaySetServer(session, row?.settings ?? {}, settings, () => 'fromId')
      const rowId = row?.id ?? newId()
      plan.steps.push({ id: rowId, device, row, values: { settings, ...(await secretsFor(scope, source, rowId, row)) } })
    }
    return plan
  }

  const isSame = ({ row, values }: Step): boolean =>
    isDeepStrictEqual(row?.settings ?? {}, values.settings) && (row?.secretsRevision ?? '') === values.secretsRevision

  const outcomeOf = ({ named, steps, leftOut }: Plan): CopyOutcome => {
    const same = steps.filter(isSame).length
    return { devices: named, copied: steps.length - same, same, leftOut }
  }

  return {
    preview: async (session, order) => outcomeOf(await planned(session, db, order)),
    copy: (session, order) =>
      platform.transaction(async (tx) => {
        const { scope } = session
        await data.lockPark(scope, tx)
        const plan = await planned(session, tx, order)
        const changed = plan.steps.filter((step) => !isSame(step))
        const now = platform.clock.now()
        await data.insertSettings(
          scope,
          tx,
          changed
            .filter(({ row }) => row === undefined)
            .map(({ id, device, values }) => ({ id, kind: 'device' as const, deviceId: device.id, ...values })),
          now,
        )
        for (const { id, row, values } of changed) if (row !== undefined) await data.updateSettings(scope, tx, id, values, now)
        for (const { device, row, values } of changed)
          platform.audit.note({
            entity: 'deviceSetting',
            id: device.id,
            label: device.name,
            before: logged(row ?? { settings: {}, ...NO_SECRETS }),
            after: logged(values),
          })
        const ids = changed.map(({ device }) => device.id)
        const replaced = new Set(ids)
        const after = [
          ...plan.applied.filter(({ deviceId }) => deviceId === null || !replaced.has(deviceId)),
          ...changed.map(({ device, values }) => ({ kind: 'device' as const, deviceId: device.id, ...values })),
        ]
        const touched = touchedBy(plan.applied, after, ids)
        if (touched.length > 0) await platform.events.announce(tx, devicesChanged, scope.parkId, { deviceIds: touched })
        return outcomeOf(plan)
      }),
  }
}
