/**
 * Settings: small documents that belong to the installation, to an organisation or to a park, each with a schema and a default. Every node
 * keeps all of them in memory. A new setting takes `defineSetting` and two calls.
 */
import { z } from 'zod'
import type { Platform } from '../../platform/context.ts'
import { timestamp } from '../../platform/database/database.ts'
import { defineEvent, on } from '../../platform/events/events.ts'
import { Conflict } from '../../platform/http/refusal.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import { SETTING_SECRETS } from './schema.ts'

export interface Setting<T extends object> {
  /** `context.words`. */
  name: string
  schema: z.ZodType<T>
  /** Value until the setting is written. */
  fallback: T
  /** Fields that are stored encrypted and never returned. A field that a form left empty keeps its stored text. */
  secrets: readonly (keyof T & string)[]
}

/** Declare a setting. @param secrets text fields that are encrypted at rest */
export const defineSetting = <T extends object>(
  name: string,
  schema: z.ZodType<T>,
  fallback: T,
  secrets: readonly (keyof T & string)[] = [],
): Setting<T> => ({ name, schema, fallback, secrets })

/** A setting was written: nodes read it again, and consumers that depend on it are notified. */
export const settingChanged = defineEvent('setting.changed', z.object({ ownerId: z.string(), name: z.string() }))

export interface Settings {
  start(): Promise<void>
  /** Read the setting again: the event of its change on another server may arrive after the event of an action that followed the change. */
  refresh(ownerId: string, setting: Pick<Setting<object>, 'name'>): Promise<void>
  /** Return the current value, secrets in clear, for the server's own use. @param ownerId a node of the tree, or `INSTALLATION_ID` */
  read<T extends object>(ownerId: string, setting: Setting<T>): T
  /** Return what may be shown: secrets are empty, `secretsSet` names those that are set; `version` is for the next write. */
  show<T extends object>(ownerId: string, setting: Setting<T>): T & { secretsSet: string[]; version: number }
  /**
   * Store the setting and notify all nodes; the operation log receives what changed. Fields that are left out and secrets that are empty
   * stay as they were.
   *
   * @param version as last read; a newer one is a conflict
   * @param removed secrets to remove
   */
  write<T extends object>(
    ownerId: string,
    setting: Setting<T>,
    value: { [Field in keyof T]?: T[Field] | undefined },
    version?: number,
    removed?: readonly (keyof T & string)[],
  ): Promise<void>
}

interface CachedSetting {
  value: Record<string, unknown>
  secrets: Record<string, string>
  version: number
}

/** Return the default of a setting, without secrets. */
const shown = <T extends object>({ fallback, secrets }: Setting<T>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fallback).filter(([field]) => !(secrets as readonly string[]).includes(field)))

/** Return secrets under names whose values the operation log does not show. */
const loggedSecrets = (secrets: Record<string, string> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(secrets).map(([field, value]) => [/password|secret/i.test(field) ? field : `${field} (secret)`, value]))

export function createSettings(platform: Platform): Settings {
  const db = platform.db
  const cached = new Map<string, CachedSetting>()
  const keyOf = (ownerId: string, name: string): string => `${ownerId} ${name}`

  async function load(of?: { ownerId: string; name: string }): Promise<void> {
    const rows = await db
      .selectFrom('setting')
      .selectAll()
      .$if(of !== undefined, (query) => query.where('ownerId', '=', of!.ownerId).where('name', '=', of!.name))
      .execute()
    for (const row of rows) {
      const place = placeOf(SETTING_SECRETS, row.ownerId, row.name)
      const opened = row.secrets && (await platform.crypto.open(row.ownerId, place, row.secrets))
      const secrets = opened === null ? {} : (JSON.parse(opened.toString('utf8')) as Record<string, string>)
      const key = keyOf(row.ownerId, row.name)
      // A read that began before the latest change may end after the read that follows it.
      if ((cached.get(key)?.version ?? 0) > row.version) continue
      cached.set(key, { value: row.value as Record<string, unknown>, secrets, version: row.version })
    }
  }

  platform.events.consume({
    name: 'organisation.settings',
    mode: 'everyNode',
    handlers: [on(settingChanged, ({ payload }) => load(payload))],
  })

  const read = <T extends object>(ownerId: string, setting: Setting<T>): T => {
    const found = cached.get(keyOf(ownerId, setting.name))
    return { ...setting.fallback, ...found?.value, ...found?.secrets } as T
  }

  return {
    start: () => load(),
    refresh: (ownerId, { name }) => load({ ownerId, name }),
    read,
    show(ownerId, setting) {
      const found = cached.get(keyOf(ownerId, setting.name))
      const hidden = Object.fromEntries(setting.secrets.map((field) => [field, '']))
      return {
        ...read(ownerId, setting),
        ...hidden,
        secretsSet: setting.secrets.filter((field) => (found?.secrets[field] ?? '') !== ''),
        version: found?.version ?? 0,
      }
    },
    async write(ownerId, setting, value, version, removed = []) {
      const before = cached.get(keyOf(ownerId, setting.name))
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
      await platform.transaction(async (tx) => {
        const stored = await tx
          .insertInto('setting')
          .values({
            ownerId,
            name: setting.name,
            value: JSON.stringify(clear),
            secrets: sealed,
            version: 1,
            updatedAt: timestamp(platform.clock.now()),
          })
          .onConflict((conflict) =>
            conflict
              .columns(['ownerId', 'name'])
              .doUpdateSet((eb) => ({
                value: JSON.stringify(clear),
                secrets: sealed,
                version: eb('setting.version', '+', 1),
                updatedAt: timestamp(platform.clock.now()),
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
          before: { ...shown(setting), ...before?.value, ...loggedSecrets(before?.secrets) },
          after: { ...clear, ...loggedSecrets(secrets) },
        })
        await platform.events.announce(tx, settingChanged, ownerId, { ownerId, name: setting.name })
      })
      await load({ ownerId, name: setting.name })
    },
  }
}
