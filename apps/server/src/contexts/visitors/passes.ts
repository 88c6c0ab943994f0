/**
 * QR passes of visitors. A pass is issued with the right of way of a visitor who may pass by a code. It is void once the right ends,
 * another one was issued in its place, or, for one use, it was used. Terminals are sent the ids of the passes in force with their persons;
 * the text that a visitor shows is signed when it is asked for and stored nowhere.
 */
import { randomBytes } from 'node:crypto'
import qrcode from 'qrcode'
import type { OutputOf } from '@gatehouse/contract'
import { PASS_ID_DIGITS } from '@gatehouse/contract/device/visitor-pass'
import { accessMethod } from '@gatehouse/contract/enums/access'
import type { visitPass } from '@gatehouse/contract/visitors/visit'
import type { Platform } from '../../platform/context.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Scope } from '../../platform/session/session.ts'
import { personsChanged } from '../people/index.ts'
import type { Configuration } from './configuration.ts'
import type { PassKeys } from './pass-keys.ts'
import { deletePasses, findPasses, insertPass, isPassUsable, usePass, usePassOf, type PassRow, type PassUse } from './passes-data.ts'
import type { StoredVisits } from './stored-visits.ts'
import { passageTimes } from './times.ts'
import type { VisitRow } from './visits-data.ts'

/** Writes the visit in the transaction that changes its person. */
export type Alongside = (tx: Transaction, personId: string) => Promise<void>

/** A pass as its visitor shows it. */
export type ShownPass = Omit<OutputOf<typeof visitPass>, 'image'>

export interface Passes {
  /** Return the pass of a visit; null where its visitor may pass by none now. @throws Refusal 200401 */
  passOf(scope: Scope, visitId: string): Promise<ShownPass | null>
  /** Make the pass of a visit void and issue another one. @throws Refusal 200401 */
  renew(scope: Scope, visitId: string): Promise<ShownPass | null>
  /** Return what writes a visit and, in the same transaction, gives its person a pass, or makes theirs void where no method needs one. */
  alongside(scope: Scope, methods: readonly number[], write: Alongside): Promise<Alongside>
  /** Make the passes of persons void. */
  withdraw(tx: Transaction, scope: Scope, personIds: readonly string[]): Promise<void>
  /** Note that a person passed by their code; a pass for one use has admitted with that. @param at the server's moment of the passage */
  passed(scope: Scope, personId: string, at: number): Promise<void>
  /** Return the ids of the passes that admit now, by person. */
  idsOf(scope: Scope, personIds: readonly string[]): Promise<Map<string, string[]>>
  /** Return whether a pass for one use admits a passage: it was not used, or by this very passage, of which a device asks once more. */
  isUsable(scope: Scope, use: PassUse): Promise<boolean>
  /** Admit by a pass for one use. @returns as `isUsable` */
  use(scope: Scope, use: PassUse): Promise<boolean>
}

const BY_CODE: readonly number[] = [accessMethod.qrCode, accessMethod.qrCodeAndFace]
const needsPass = (methods: readonly number[]): boolean => methods.some((method) => BY_CODE.includes(method))

/** Return the QR code of a pass as an SVG picture, as a data URL. */
export async function pictureOf(text: string): Promise<string> {
  const svg = await qrcode.toString(text, { type: 'svg', margin: 4, errorCorrectionLevel: 'M' })
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
}

export function createPasses(
  platform: Platform,
  keys: PassKeys,
  configuration: Configuration,
  visits: Pick<StoredVisits, 'existing'>,
): Passes {
  const { db, clock } = platform

  const issue = (tx: Transaction, scope: Scope, personId: string): Promise<void> => {
    const id = randomBytes(PASS_ID_DIGITS / 2).toString('hex')
    return insertPass(scope, tx, { id, personId, oneUse: configuration.of(scope).qrOneUse }, clock.now())
  }

  async function shown(scope: Scope, row: VisitRow, pass: PassRow | undefined): Promise<ShownPass | null> {
    if (pass === undefined) return null
    const times = passageTimes(row, configuration.of(scope))
    const text = await keys.textOf(scope, { ...pass, ...times })
    return { text, ...times, oneUse: pass.oneUse }
  }

  async function passOf(scope: Scope, visitId: string): Promise<ShownPass | null> {
    const { row } = await visits.existing(scope, visitId)
    if (row.personId === null) return null
    const [pass] = await findPasses(scope, db, [row.personId])
    return shown(scope, row, pass)
  }

  /** The person is sent to devices again, with the passes they have now. */
  const announce = (tx: Transaction, scope: Scope, personId: string) =>
    platform.events.announce(tx, personsChanged, scope.parkId, { personIds: [personId] })

  /** Write a use, and have the pass taken from the devices. */
  const noteUse = (scope: Scope, personId: string, write: (tx: Transaction, now: number) => Promise<boolean>): Promise<boolean> =>
    platform.transaction(async (tx) => {
      const isUsed = await write(tx, clock.now())
      if (isUsed) await announce(tx, scope, personId)
      return isUsed
    })

  return {
    passOf,
    async renew(scope, visitId) {
      const { row } = await visits.existing(scope, visitId)
      const { personId } = row
      if (personId === null || !needsPass(row.passMethods)) return null
      await platform.transaction(async (tx) => {
        await deletePasses(scope, tx, [personId])
        await issue(tx, scope, personId)
        await announce(tx, scope, personId)
        platform.audit.note({ entity: 'visit', id: visitId, label: row.name, labelMask: 'name' })
      })
      return passOf(scope, visitId)
    },
    async alongside(scope, methods, write) {
      if (needsPass(methods)) await keys.prepare(scope)
      return async (tx, personId) => {
        await write(tx, personId)
        if (needsPass(methods)) await issue(tx, scope, personId)
        else await deletePasses(scope, tx, [personId])
      }
    },
    withdraw: (tx, scope, personIds) => deletePasses(scope, tx, personIds),
    async passed(scope, personId, at) {
      await noteUse(scope, personId, (tx, now) => usePassOf(scope, tx, personId, at, now))
    },
    async idsOf(scope, personIds) {
      return new Map((await findPasses(scope, db, personIds)).map(({ personId, id }) => [personId, [id]]))
    },
    isUsable: (scope, use) => isPassUsable(scope, db, use),
    use: async (scope, use) =>
      (await noteUse(scope, use.personId, (tx, now) => usePass(scope, tx, use, now))) || isPassUsable(scope, db, use),
  }
}
