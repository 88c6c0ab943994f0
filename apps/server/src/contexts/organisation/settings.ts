/**
 * Settings: small documents that belong to the installation, to an organisation or to a park, each with a schema and
 * what holds until somebody sets it. All are held in memory on every node. A new one is `defineSetting` and two calls.
 */
import { z } from 'zod'
import type { Platform } from '../../platform/context.ts'
import { timestamp, type Database, type Tx } from '../../platform/database/database.ts'
import { defineEvent, on } from '../../platform/events/events.ts'
import { Conflict } from '../../platform/http/refusal.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { SETTING_SECRETS, type OrganisationTables } from './schema.ts'

export interface Setting<T extends object> {
  /** `context.words`. */
  name: string
  schema: z.ZodType<T>
  /** What holds until somebody sets it. */
  fallback: T
  /** Fields stored encrypted and never answered: their text is put in place of '' where a form left them empty. */
  secrets: readonly (keyof T & string)[]
}

/** Declares a setting. @param secrets text fields that are encrypted at rest */
export const defineSetting = <T extends object>(
  name: string,
  schema: z.ZodType<T>,
  fallback: T,
  secrets: readonly (keyof T & string)[] = [],
): Setting<T> => ({ name, schema, fallback, secrets })

/** A setting was written: nodes read it anew, and whoever depends on it hears of it. */
export const settingChanged = defineEvent('setting.changed', z.object({ ownerId: z.string(), name: z.string() }))

export interface Settings {
  start(): Promise<void>
  /** Reads it anew: word of a change on another server may come later than word of what was done with it. */
  refresh(ownerId: string, setting: Pick<Setting<object>, 'name'>): Promise<void>
  /** What holds, secrets in clear: for the server's own use. @param ownerId a node of the tree, or `INSTALLATION_ID` */
  read<T extends object>(ownerId: string, setting: Setting<T>): T
  /** What may be shown: secrets empty, `secretsSet` names those that are there; `version` for the next write. */
  show<T extends object>(ownerId: string, setting: Setting<T>): T & { secretsSet: string[]; version: number }
  /**
   * Stores it and tells all nodes; the operation log gets what changed. What is left out stays as it was, and so does a secret left empty.
   *
   * @param version as last read; another one since is a conflict
   * @param removed secrets that are to be there no longer
   */
  write<T extends object>(
    ownerId: string,
    setting: Setting<T>,
    value: { [Field in keyof T]?: T[Field] | undefined },
    version?: number,
    removed?: readonly (keyof T & string)[],
  ): Promise<void>
}

interface Held {
  value: Record<string, unknown>
  secrets: Record<string, string>
  version: number
}

/** What holds until somebody sets it, without secrets. */
const shown = <T extends object>({ fallback, secrets }: Setting<T>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fallback).filter(([field]) => !(secrets as readonly string[]).includes(field)))

/** Under names the operation log shows no values of. */
const veiled = (secrets: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(secrets).map(([field, value]) => [/password|secret/i.test(field) ? field : `${field} (secret)`, value]))

export function createSettings(platform: Platform): Settings {
  const db = platform.db as unknown as Database<OrganisationTables>
  const held = new Map<string, Held>()
  const keyOf = (ownerId: string, name: string): string => `${ownerId} ${name}`

  async function load(of?: { ownerId: string; name: string }): Promise<void> {
    const rows = await db
      .selectFrom('setting')
      .selectAll()
      .$if(of !== undefined, (query) => query.where('owner_id', '=', of!.ownerId).where('name', '=', of!.name))
      .execute()
    for (const row of rows) {
      const place = placeOf(SETTING_SECRETS, row.owner_id, row.name)
      const opened = row.secrets && (await platform.crypto.open(row.owner_id, place, row.secrets))
      const secrets = opened === null ? {} : (JSON.parse(opened.toString('utf8')) as Record<string, string>)
      held.set(keyOf(row.owner_id, row.name), { value: row.value as unknown as Record<string, unknown>, secrets, version: row.version })
    }
  }

  platform.events.consume({
    name: 'organisation.settings',
    mode: 'everyNode',
    handlers: [on(settingChanged, ({ payload }) => load(payload))],
  })

  const read = <T extends object>(ownerId: string, setting: Setting<T>): T => {
    const found = held.get(keyOf(ownerId, setting.name))
    return { ...setting.fallback, ...found?.value, ...found?.secrets } as T
  }

  return {
    start: () => load(),
    refresh: (ownerId, { name }) => load({ ownerId, name }),
    read,
    show(ownerId, setting) {
      const found = held.get(keyOf(ownerId, setting.name))
      const hidden = Object.fromEntries(setting.secrets.map((field) => [field, '']))
      return {
        ...read(ownerId, setting),
        ...hidden,
        secretsSet: setting.secrets.filter((field) => (found?.secrets[field] ?? '') !== ''),
        version: found?.version ?? 0,
      }
    },
    async write(ownerId, setting, value, version, removed = []) {
      const before = held.get(keyOf(ownerId, setting.name))
      if (version !== undefined && version !== (before?.version ?? 0)) throw new Conflict(Object.keys(value))
      const secrets = { ...before?.secrets }
      for (const field of removed) delete secrets[field]
      const given = Object.entries(value).filter(([, one]) => one !== undefined)
      const clear: Record<string, unknown> = { ...(before?.value ?? shown(setting)), ...Object.fromEntries(given) }
      for (const field of setting.secrets) {
        const secret = clear[field]
        delete clear[field]
        if (typeof secret === 'string' && secret !== '') secrets[field] = secret
      }
      const place = placeOf(SETTING_SECRETS, ownerId, setting.name)
      const sealed =
        Object.keys(secrets).length === 0 ? null : await platform.crypto.seal(ownerId, place, Buffer.from(JSON.stringify(secrets)))
      await platform.transaction(async (tx: Tx<OrganisationTables>) => {
        const stored = await tx
          .insertInto('setting')
          .values({
            owner_id: ownerId,
            name: setting.name,
            value: JSON.stringify(clear),
            secrets: sealed,
            version: 1,
            updated_at: timestamp(platform.clock.now()),
          })
          .onConflict((conflict) =>
            conflict
              .columns(['owner_id', 'name'])
              .doUpdateSet((eb) => ({
                value: JSON.stringify(clear),
                secrets: sealed,
                version: eb('setting.version', '+', 1),
                updated_at: timestamp(platform.clock.now()),
              }))
              .where('setting.version', '=', before?.version ?? 0),
          )
          .returning('version')
          .executeTakeFirst()
        if (stored === undefined) throw new Conflict(Object.keys(value))
        platform.audit.note({
          entity: 'setting',
          id: ownerId,
          label: setting.name,
          secrets: setting.secrets,
          before: { ...shown(setting), ...before?.value, ...veiled(before?.secrets) },
          after: { ...clear, ...veiled(secrets) },
        })
        await platform.events.announce(tx, settingChanged, ownerId, { ownerId, name: setting.name })
      })
      await load({ ownerId, name: setting.name })
    },
  }
}
