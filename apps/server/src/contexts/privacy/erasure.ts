/**
 * The erasure of a person everywhere, with a receipt that names each place and when it was confirmed there. Rows of the database are
 * deleted in one transaction (`removal.ts`); files, the search and the terminals confirm afterwards (`completion.ts`).
 */
import { randomInt } from 'node:crypto'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { NotFound } from '../../platform/http/refusal.ts'
import { seeingAllDevices, type Scope } from '../../platform/session/session.ts'
import type { Completion } from './completion.ts'
import { createErasurePreview } from './erasure-preview.ts'
import { createRemoval, type StoringDevices } from './removal.ts'
import * as data from './data.ts'
import type { PrivacySettings } from './settings.ts'
import { BLANK, patternsOf, withoutPerson } from './reason.ts'
import type { ErasureNeeds, ErasureRequest, ErasureService } from './erasure-types.ts'

/** Characters that are not mistaken for one another when they are read aloud. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789'
const letters = (count: number): string => Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join('')
const newNumber = (): string => `${letters(4)}-${letters(4)}`

export function createErasures(platform: Platform, policy: PrivacySettings, needs: ErasureNeeds, completion: Completion): ErasureService {
  const db = platform.db
  const { persons, faces, access } = needs
  const removeAll = createRemoval(platform, needs)

  async function insert(scope: Scope, tx: Transaction, row: Omit<data.NewErasure, 'number'>): Promise<string> {
    for (;;) {
      const number = newNumber()
      if (await data.insertErasure(scope, tx, { ...row, number })) return number
    }
  }

  async function devicesStoring(scope: Scope, personIds: readonly string[]): Promise<StoringDevices> {
    const holding = await access.holding(scope, personIds)
    return { holding, keeping: await access.keeping(scope, personIds, holding) }
  }

  const receiptOf = async (scope: Scope, personId: string): Promise<string | undefined> =>
    (await data.findErasuresOf(scope, db, [personId]))[0]?.id

  async function eraseOne(scope: Scope, personId: string, request: ErasureRequest): Promise<string> {
    const receiptId = await receiptOf(scope, personId)
    if (receiptId !== undefined) return receiptId
    const devices = await devicesStoring(scope, [personId])
    const probe = await faces.templatesOf(scope, [personId], faces.modelId)
    const pseudonymised = policy.of(scope).recordsOnErasure === 'pseudonymise'
    const newReceipt = await platform.transaction(async (tx) => {
      const person = await persons.hold(tx, scope, personId)
      if (person === null) return null
      const id = newId()
      const number = await insert(scope, tx, {
        id,
        personId,
        kind: person.kind,
        ...request,
        requestedAt: platform.clock.now(),
        pseudonymised,
      })
      // Reasons of other receipts may name the person too: that of a relative, or one that was requested together with this.
      for (const pattern of patternsOf(person)) await data.blankReasons(scope, tx, pattern, BLANK)
      await data.insertPlaces(scope, tx, id, await removeAll(tx, scope, person, devices, pseudonymised))
      platform.audit.note({ entity: 'erasure', id, label: number, after: { number, kind: person.kind, origin: request.origin } })
      return id
    })
    if (newReceipt !== null) {
      completion.follow(newReceipt, [...probe.values()])
      return newReceipt
    }
    // A concurrent call was quicker: it erased the person, or only deleted them.
    const otherReceipt = await receiptOf(scope, personId)
    if (otherReceipt === undefined) throw new NotFound()
    return otherReceipt
  }

  return {
    async erase(callerScope, personIds, request) {
      const scope = seeingAllDevices(callerScope)
      const ids = [...new Set(personIds)]
      const [existing, receiptsBefore] = await Promise.all([persons.find(scope, ids), data.findErasuresOf(scope, db, ids)])
      const withoutNames = { ...request, reason: existing.reduce((reason, person) => withoutPerson(reason, person), request.reason) }
      const knownIds = new Set([...existing.map(({ id }) => id), ...receiptsBefore.map(({ personId }) => personId)])
      if (ids.some((id) => !knownIds.has(id))) throw new NotFound()
      const receipts: string[] = []
      for (const id of ids) receipts.push(await eraseOne(scope, id, withoutNames))
      return receipts
    },
    ...createErasurePreview(policy, needs, devicesStoring),
    list: async (scope, query) => ({ ...(await data.listErasures(scope, db, query)), page: query.page, size: query.size }),
    async read(scope, id) {
      const found = await data.findErasure(scope, db, id)
      if (found === undefined) throw new NotFound()
      return found
    },
  }
}
