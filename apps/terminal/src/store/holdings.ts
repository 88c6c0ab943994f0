/**
 * The data that the terminal decides by: settings, strategies, time rules, persons and their faces. Decisions read memory, which changes
 * only after the disk; the disk is read at the next start.
 */
import type { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import type { AccessStrategy, TimeRule } from '@gatehouse/access-rules'
import { storeTampering } from '@gatehouse/contract/device/protocol-status'
import type { Holdings, PersonFailure } from '../device/store.ts'
import { createCredentialStore, type CredentialStore } from './credentials.ts'
import { transaction } from './database.ts'
import { createFaceSearch, type FaceSearch } from './face-search.ts'
import { readable, readMeta, writeMeta } from './meta.ts'
import { createPersonMemory } from './person-memory.ts'
import { createPersonTable } from './person-table.ts'
import { createPositionStore } from './position.ts'
import { createRules } from './rules.ts'
import type { Model, StoredPerson } from './stored-person.ts'
import { forgetUnfit, takeChange } from './taking.ts'
import type { Vault } from './vault.ts'

export type { FaceMatch } from './face-search.ts'
export type { Model, StoredPerson } from './stored-person.ts'

/** The holdings as decisions read them. */
export interface SearchableHoldings extends Holdings, FaceSearch {
  /** Return a stored person, even one who cannot be recognised. */
  person(id: string): StoredPerson | undefined
  /** Return the strategies that apply to a person here; one the manifest does not contain is ignored. */
  strategiesOf(personId: string): AccessStrategy[]
  /** Return all strategies of this device, for a passage that identifies nobody. */
  strategies(): AccessStrategy[]
  timeRules(): ReadonlyMap<string, TimeRule>
  readonly credentials: Pick<CredentialStore, 'holderOf' | 'isCardPassword'>
  /**
   * Return the progress while persons are fetched again for another model: how many of all can be recognised again. Null when all were
   * tried.
   */
  renewing(): { ready: number; total: number } | null
}

/** Version of a person who must be fetched again in any case; the server never uses it. */
const FORGOTTEN = 'ffffffffffffffff'
/** Name under which it is stored when, and of what, tampering was found. */
const TAMPERING = 'tampering'
/** Persons verified in one turn of the event loop: a few milliseconds. */
const VERIFIED_AT_ONCE = 50

interface HoldingsOptions {
  clock: () => number
  /** When the file was opened, objects were found in it that this program does not create. */
  isFileChanged: boolean
}

/**
 * Read the holdings of the store. Faces of another model or sealed under another key are dropped and fetched again. So are data that do not
 * match their mark, by which nobody passes until then.
 */
export function createHoldings(
  database: DatabaseSync,
  vault: Vault,
  model: Model,
  { clock, isFileChanged }: HoldingsOptions,
): SearchableHoldings {
  const credentials = createCredentialStore(database, vault)
  const table = createPersonTable(database, vault, model, credentials)
  const memory = createPersonMemory(model, table.namesOf)
  const rules = createRules(database, vault)
  const position = createPositionStore(database)
  const parts = { database, model, table, memory, position }
  const { persons, exceptions } = memory
  let tampering = readable(storeTampering, readMeta(database, TAMPERING))

  const rulesFit = rules.fit()
  // Under another key no mark matches, without any tampering.
  const isSameKey = isOwnKey(database, vault) || (rulesFit && rules.revision() !== '') || table.ids().some((id) => table.fits(id))
  if (!isSameKey || readMeta(database, 'modelId') !== model.modelId) dropPersons()
  if (!rulesFit) rules.forget()
  rules.load()
  const unfitAtStart = loadPersons()
  const forgotRules = !rulesFit && isSameKey
  if (unfitAtStart.length > 0 || forgotRules || isFileChanged) noteTampering(unfitAtStart, forgotRules)

  function dropPersons(): void {
    transaction(database, () => {
      const { count } = database.prepare('SELECT count(*) AS count FROM person').get() as { count: number }
      database.exec('DELETE FROM face; DELETE FROM person')
      writeMeta(database, 'modelId', model.modelId)
      position.drop(count)
    })
  }

  /** @returns ids of persons whose rows do not match their marks */
  function loadPersons(): string[] {
    const unfit: string[] = []
    for (const [id, loaded] of table.all()) {
      if (loaded === null) {
        unfit.push(id)
        continue
      }
      const { facts, failure, faces } = loaded
      memory.remember(facts)
      if (failure) memory.except({ personId: id, version: facts.version, reason: failure })
      memory.recognise(id, faces)
    }
    forgetPersons(unfit)
    return unfit
  }

  function forgetPersons(personIds: readonly string[]): void {
    forgetUnfit(
      parts,
      personIds.map((personId) => ({ personId, version: FORGOTTEN, reason: 'tampered' satisfies PersonFailure })),
    )
  }

  function noteTampering(personIds: readonly string[], areRulesChanged: boolean): void {
    tampering = { at: clock(), persons: personIds.length, rules: areRulesChanged }
    writeMeta(database, TAMPERING, JSON.stringify(tampering))
  }

  const counts = () => ({ persons: persons.size - exceptions.size, failed: exceptions.size })

  return {
    settings: rules.settings,
    revision: rules.revision,
    position: position.current,
    version: (personId) => persons.get(personId)?.version,
    versions: table.versions,
    exceptions: () => exceptions,
    counts,
    tampering: () => tampering,
    async verify() {
      const ids = table.ids()
      const unfit: string[] = []
      for (let from = 0; from < ids.length; from += VERIFIED_AT_ONCE) {
        const now = ids.slice(from, from + VERIFIED_AT_ONCE).filter((id) => persons.has(id) && !table.fits(id))
        forgetPersons(now)
        unfit.push(...now)
        await setImmediate()
      }
      const areRulesChanged = !rules.fit()
      if (areRulesChanged) rules.forget()
      if (unfit.length === 0 && !areRulesChanged) return null
      noteTampering(unfit, areRulesChanged)
      return { persons: unfit.length, rules: areRulesChanged }
    },
    renewing: () =>
      position.current() === null && position.dropped() > 0
        ? { ready: counts().persons, total: Math.max(position.dropped(), persons.size) }
        : null,
    person: (id) => persons.get(id),
    strategiesOf: (personId) => (persons.get(personId)?.strategyIds ?? []).flatMap((id) => rules.strategies().get(id) ?? []),
    strategies: () => [...rules.strategies().values()],
    timeRules: rules.timeRules,
    credentials: {
      isCardPassword: credentials.isCardPassword,
      holderOf(kind, value) {
        const id = credentials.holderOf(kind, value)
        // The digests by which a person is found are not marked, so one counts only if the person's sealed credentials contain it.
        const isTheirs = id !== null && persons.has(id) && credentials.isListed(id, kind, value) && table.fits(id)
        return isTheirs ? id : null
      },
    },
    ...createFaceSearch(model, table, memory),
    apply: rules.apply,
    take: (change) => takeChange(parts, change),
  }
}

/** Whether digests are made by this key; those made by another one find nobody. */
function isOwnKey(database: DatabaseSync, vault: Vault): boolean {
  const own = Buffer.from(vault.digest('key')).toString('base64')
  const stored = readMeta(database, 'keyDigest')
  if (stored !== own) writeMeta(database, 'keyDigest', own)
  return stored === null || stored === own
}
