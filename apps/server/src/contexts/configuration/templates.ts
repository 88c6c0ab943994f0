/** Templates: named sets of settings for devices of a type and model, to be copied to many. */
import type { z } from 'zod'
import type { SettingTemplate, configurationCalls } from '@gatehouse/contract/configuration/calls'
import { modelsOfType } from '@gatehouse/contract/enums/device-models'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Database, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { leftAsItWas } from '../../platform/http/left-out.ts'
import { NotFound, refuse } from '../../platform/http/refusal.ts'
import type { Scope, Session } from '../../platform/session/session.ts'
import { assertMaySetServer } from './policy.ts'
import { assertConsistent, assertPossible, assertVersion, type CheckNeeds } from './checks.ts'
import * as data from './data.ts'
import { effectiveOf, parkOf } from './effective.ts'
import { changedSecrets, logged } from './secrets.ts'
import { settingsAfter, sharedFieldsOf } from './wire.ts'

type TemplateQuery = z.output<(typeof configurationCalls)['templates']['query']>
type TemplateFields = z.output<(typeof configurationCalls)['addTemplate']['body']>
/** Fields left out stay unchanged. */
type TemplateChange = Omit<z.output<(typeof configurationCalls)['changeTemplate']['body']>, 'id' | 'version'>

export interface SettingTemplates {
  list(scope: Scope, query: TemplateQuery): Promise<{ total: number; content: SettingTemplate[]; page: number; size: number }>
  /** @throws NotFound */
  read(scope: Scope, id: string): Promise<SettingTemplate>
  /**
   * Return the id of the new template.
   * @throws Refusal 900004 for a name that is taken, 400204 for a model the type does not have, 100510 (403),
   * InvalidRequest
   */
  add(session: Session, fields: TemplateFields): Promise<string>
  change(session: Session, id: string, version: number | undefined, change: TemplateChange): Promise<void>
  delete(scope: Scope, ids: readonly string[]): Promise<number>
}

function taken(error: unknown): never {
  if (violatedConstraint(error) === 'device_setting_template') refuse(900004, 'name')
  throw error
}

const present = ({ id, name, type, model, settings, secretNames, updatedAt, version }: data.SettingRow): SettingTemplate => ({
  id,
  name: name ?? '',
  deviceType: type ?? 0,
  model: model ?? 0,
  ...sharedFieldsOf(settings),
  settings: settings as SettingTemplate['settings'],
  secretsSet: secretNames,
  updatedAt,
  version,
})

const auditForm = ({
  name,
  type,
  model,
  ...row
}: Pick<data.SettingRow, 'name' | 'type' | 'model'> & data.SettingValues): Record<string, unknown> => ({
  name,
  type,
  model,
  ...logged(row),
})

/** @throws NotFound if one of them does not exist */
export async function existingTemplates(scope: Scope, db: Database, ids: readonly string[]): Promise<data.SettingRow[]> {
  const rows = await data.findTemplates(scope, db, ids)
  if (rows.length < new Set(ids).size) throw new NotFound()
  return rows
}

export function createSettingTemplates(platform: Platform, needs: CheckNeeds): SettingTemplates {
  const db = platform.db

  async function checked(
    tx: Transaction,
    session: Session,
    id: string,
    { name, deviceType: type, model, consolePassword, wifi, ...requested }: TemplateFields,
    row?: data.SettingRow,
    version?: number,
  ) {
    const { scope } = session
    if (modelsOfType[type]?.includes(model) === false) refuse(400204, 'model')
    const settings = settingsAfter(row?.settings ?? {}, requested)
    if (row !== undefined) assertVersion(row, version, settings)
    assertMaySetServer(session, row?.settings ?? {}, settings)
    await assertPossible(scope, tx, needs, settings)
    // Checked as at a device without other settings of its own.
    assertConsistent(effectiveOf(parkOf(await data.findApplied(scope, tx, [])), settings))
    return { name, type, model, settings, ...(await changedSecrets(platform.crypto, scope, id, row, { consolePassword, wifi })) }
  }

  return {
    async list(scope, query) {
      const { content, total } = await data.listTemplates(scope, db, query)
      return { total, content: content.map(present), page: query.page, size: query.size }
    },
    read: async (scope, id) => present((await existingTemplates(scope, db, [id]))[0]!),
    add: (session, fields) =>
      platform
        .transaction(async (tx) => {
          const { scope } = session
          await data.lockPark(scope, tx)
          const id = newId()
          const values = await checked(tx, session, id, fields)
          await data.insertSettings(scope, tx, [{ id, kind: 'template', deviceId: null, ...values }], platform.clock.now())
          platform.audit.note({ entity: 'deviceSettingTemplate', id, label: values.name, after: auditForm(values) })
          return id
        })
        .catch(taken),
    change: (session, id, version, change) =>
      platform
        .transaction(async (tx) => {
          const { scope } = session
          await data.lockPark(scope, tx)
          const [row] = await existingTemplates(scope, tx, [id])
          const { name, type, model } = row!
          const fields = { ...change, ...leftAsItWas({ name, deviceType: type, model }, change) } as TemplateFields
          const values = await checked(tx, session, id, fields, row, version)
          await data.updateSettings(scope, tx, id, values, platform.clock.now())
          platform.audit.note({
            entity: 'deviceSettingTemplate',
            id,
            label: values.name,
            before: auditForm(row!),
            after: auditForm(values),
          })
        })
        .catch(taken),
    delete: (scope, ids) =>
      platform.transaction(async (tx) => {
        const rows = await existingTemplates(scope, tx, ids)
        await data.deleteTemplates(scope, tx, ids)
        for (const row of rows)
          platform.audit.note({ entity: 'deviceSettingTemplate', id: row.id, label: row.name ?? '', before: auditForm(row) })
        return rows.length
      }),
  }
}
