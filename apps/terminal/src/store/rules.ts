/** Settings, strategies and time rules, on the disk and in memory, under one mark by the key. */
import type { DatabaseSync } from 'node:sqlite'
import type { AccessStrategy, TimeRule } from '@gatehouse/access-rules'
import {
  deviceSettings,
  strategyObject,
  timeRuleObject,
  type DeviceSettings,
  type Manifest,
} from '@gatehouse/contract/device/protocol-manifest'
import { transaction } from './database.ts'
import { dropMeta, readable, readMeta, writeMeta } from './meta.ts'
import { createRuleMarks } from './row-marks.ts'
import type { Vault } from './vault.ts'

export interface Rules {
  /** Return the settings; null before the first manifest. */
  settings(): DeviceSettings | null
  /** Return the revision of the manifest in force; empty before the first. */
  revision(): string
  strategies(): ReadonlyMap<string, AccessStrategy>
  timeRules(): ReadonlyMap<string, TimeRule>
  /** Return whether all data on the disk are as they were written. */
  fit(): boolean
  /** Load the rules in force from the disk. What this version cannot read is missing until the next manifest. */
  load(): void
  /** Put a manifest into force; the disk is written first. @throws when it cannot be written; nothing has changed then */
  apply(manifest: Manifest): void
  /**
   * Drop all rules. The next manifest is taken whatever its revision; until then nobody passes.
   * @throws when it cannot be written; nothing has changed on the disk then
   */
  forget(): void
}

export function createRules(database: DatabaseSync, vault: Vault): Rules {
  const marks = createRuleMarks(database, vault)
  let strategies = new Map<string, AccessStrategy>()
  let timeRules = new Map<string, TimeRule>()
  let settings: DeviceSettings | null = null
  let revision = readMeta(database, 'revision') ?? ''

  /** @returns bodies by id, as they were written */
  function replaceObjects(table: 'strategy' | 'time_rule', objects: readonly { id: string }[]): Map<string, string> {
    database.exec(`DELETE FROM ${table}`)
    const insert = database.prepare(`INSERT INTO ${table} (id, body) VALUES (?, ?)`)
    const bodies = new Map(objects.map((object) => [object.id, JSON.stringify(object)]))
    for (const [id, body] of bodies) insert.run(id, body)
    return bodies
  }

  return {
    settings: () => settings,
    revision: () => revision,
    strategies: () => strategies,
    timeRules: () => timeRules,
    fit: () => marks.fit(),
    load() {
      settings = readable(deviceSettings, readMeta(database, 'settings'))
      const bodies = (table: 'strategy' | 'time_rule') => database.prepare(`SELECT body FROM ${table}`).all() as { body: string }[]
      strategies = byId(bodies('strategy').flatMap(({ body }) => readable(strategyObject, body) ?? []))
      timeRules = byId(bodies('time_rule').flatMap(({ body }) => readable(timeRuleObject, body) ?? []))
    },
    apply(manifest) {
      transaction(database, () => {
        const text = JSON.stringify(manifest.settings)
        writeMeta(database, 'settings', text)
        writeMeta(database, 'revision', manifest.revision)
        marks.put({
          settings: text,
          revision: manifest.revision,
          strategies: replaceObjects('strategy', manifest.strategies),
          timeRules: replaceObjects('time_rule', manifest.timeRules),
        })
      })
      settings = manifest.settings
      revision = manifest.revision
      strategies = byId(manifest.strategies)
      timeRules = byId(manifest.timeRules)
    },
    forget() {
      transaction(database, () => {
        for (const name of ['settings', 'revision']) dropMeta(database, name)
        for (const table of ['strategy', 'time_rule'] as const) replaceObjects(table, [])
        marks.drop()
        settings = null
        revision = ''
        strategies = new Map()
        timeRules = new Map()
      })
    },
  }
}

const byId = <T extends { id: string }>(objects: readonly T[]) => new Map(objects.map((object) => [object.id, object]))
