/** Migration to a store with sealed names. It runs within the transaction of the migration, completely or not at all. */
import type { DatabaseSync } from 'node:sqlite'
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import { createSealedNames, createSealedRecords } from './sealed-names.ts'
import type { Vault } from './vault.ts'

/** Rows in memory at once. */
const PAGE = 500

type NamedPerson = {
  id: string
  name: string
  workNumber: string
  contacts: string
}

export function sealNames(database: DatabaseSync, vault: Vault): void {
  database.exec('ALTER TABLE person ADD COLUMN sealed BLOB; ALTER TABLE record ADD COLUMN sealed BLOB')
  sealPersons(database, vault)
  sealRecords(database, vault)
  database.exec('ALTER TABLE person DROP COLUMN name; ALTER TABLE person DROP COLUMN work_number')
}

function sealPersons(database: DatabaseSync, vault: Vault): void {
  const names = createSealedNames(vault)
  const page = database.prepare(`SELECT id, name, work_number AS workNumber, contacts FROM person WHERE id > ? ORDER BY id LIMIT ${PAGE}`)
  const put = database.prepare("UPDATE person SET name = '', work_number = '', contacts = ?, sealed = ? WHERE id = ?")
  const after = (id: string) => page.all(id) as NamedPerson[]
  for (let persons = after(''); persons.length > 0; persons = after(persons.at(-1)!.id)) {
    for (const { id, name, workNumber, contacts } of persons) {
      const all = JSON.parse(contacts) as { id: string; name?: string }[]
      const called = Object.fromEntries(all.map((contact) => [contact.id, contact.name ?? '']))
      const nameless = JSON.stringify(all.map(({ name: _, ...contact }) => contact))
      put.run(nameless, names.seal(id, { name, workNumber, contacts: called }), id)
    }
  }
}

function sealRecords(database: DatabaseSync, vault: Vault): void {
  const records = createSealedRecords(vault)
  const page = database.prepare(`SELECT id, body FROM record WHERE id > ? ORDER BY id LIMIT ${PAGE}`)
  const put = database.prepare('UPDATE record SET body = ?, sealed = ? WHERE id = ?')
  const after = (id: string) => page.all(id) as { id: string; body: string }[]
  for (let kept = after(''); kept.length > 0; kept = after(kept.at(-1)!.id)) {
    for (const { id, body } of kept) {
      const sealed = records.seal(id, JSON.parse(body) as RecordObject)
      put.run(sealed.body, sealed.sealed, id)
    }
  }
}
