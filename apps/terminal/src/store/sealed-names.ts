/**
 * Sealed names of persons. In memory they stay sealed beside the data that decisions read, and are opened only when a person is named: a
 * start with many persons opens none. Records store them apart from the body, so that an erasure deletes them without opening anything.
 */
import type { RecordObject } from '@gatehouse/contract/device/protocol-records'
import type { Vault } from './vault.ts'

/** Names of a person, and of contacts by their ids. */
export interface Names {
  name: string
  workNumber: string
  contacts: Readonly<Record<string, string>>
}

export interface SealedNames {
  /** Seal names; null if all are empty. */
  seal(personId: string, names: Names): Uint8Array | null
  /** Return the names; empty if there are none, or they were changed or sealed under another key. */
  open(personId: string, sealed: Uint8Array | null): Names
}

const NAMELESS: Names = { name: '', workNumber: '', contacts: {} }
const isNameless = ({ name, workNumber, contacts }: Names): boolean =>
  name === '' && workNumber === '' && Object.values(contacts).every((each) => each === '')

export function createSealedNames(vault: Vault): SealedNames {
  const boundTo = (personId: string) => `names of ${personId}`
  return {
    seal: (personId, names) => (isNameless(names) ? null : vault.seal(Buffer.from(JSON.stringify(names)), boundTo(personId))),
    open(personId, sealed) {
      try {
        return sealed === null ? NAMELESS : (JSON.parse(Buffer.from(vault.open(sealed, boundTo(personId))).toString()) as Names)
      } catch {
        return NAMELESS
      }
    },
  }
}

/** Personal data in a record, besides ids. */
const PERSONAL = ['personName', 'contactName', 'temperature', 'temperatureStatus'] as const

/** A record as stored on the disk. */
export type KeptRecord = {
  body: string
  sealed: Uint8Array | null
}

export interface SealedRecords {
  seal(id: string, record: RecordObject): KeptRecord
  /** Return the complete record; personal data sealed under another key are left out. */
  open(id: string, kept: KeptRecord): RecordObject
}

export function createSealedRecords(vault: Vault): SealedRecords {
  const boundTo = (id: string) => `record ${id}`
  return {
    seal(id, record) {
      const personal = Object.fromEntries(
        PERSONAL.map((field) => [field, record[field]]).filter(([, value]) => value != null && value !== ''),
      )
      const rest: Partial<RecordObject> = { ...record, personName: '' }
      for (const field of Object.keys(personal)) if (field !== 'personName') delete rest[field as (typeof PERSONAL)[number]]
      const isEmpty = Object.keys(personal).length === 0
      return {
        body: JSON.stringify(rest),
        sealed: isEmpty ? null : vault.seal(Buffer.from(JSON.stringify(personal)), boundTo(id)),
      }
    },
    open(id, { body, sealed }) {
      const record = JSON.parse(body) as RecordObject
      if (sealed === null) return record
      try {
        return { ...record, ...(JSON.parse(Buffer.from(vault.open(sealed, boundTo(id))).toString()) as Partial<RecordObject>) }
      } catch {
        return record
      }
    },
  }
}
