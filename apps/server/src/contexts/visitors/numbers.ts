/** Whose phones and certificates visitors have: staff and persons of the watch list are no visitors. */
import type { FieldIssue } from '@gatehouse/contract'
import type { Platform } from '../../platform/context.ts'
import { InvalidRequest, refuse, Refusal } from '../../platform/http/refusal.ts'
import { seeingAll, seesWatchList, type Scope } from '../../platform/session/session.ts'
import { phoneIndexOf } from '../people/index.ts'
import type { VisitorsDependencies } from './dependencies.ts'
import type { StoredMatch } from './schema.ts'
import { findPresentPhones } from './visits-data.ts'

interface Phones {
  phone: string
  peers: readonly { phone: string }[]
}

export interface Inspection {
  /** A phone is that of a person of the register; that of a visitor who is not signed off. */
  checks: ('phone' | 'present')[]
  /** Places of the companions among them. */
  peers: number[]
  /** Those of the watch list. */
  matches: StoredMatch[]
}

export interface Numbers {
  /**
   * Check the phones of a visitor and of those who come along.
   * @param visitId of a visit that exists: it may be the one that is not signed off
   * @throws Refusal 200446 of staff, 200445 of a visitor who is there; InvalidRequest of the watch list
   */
  check(scope: Scope, phones: Phones, visitId: string | null): Promise<void>
  /**
   * Return what the desk has to check of the phones, without a refusal: an open page must not say whose they are. Costs the same whatever
   * is found.
   */
  inspect(scope: Scope, phones: Phones, visitId: string | null): Promise<Inspection>
  /** Return the persons of the watch list whose ID number, or whose face, the visitor has. */
  matches(scope: Scope, of: { idNumber: string | null; photoFileId: string | null }): Promise<StoredMatch[]>
}

const NO_NUMBERS = { workNumber: '', cardNumber: '', cardNumberFormat: 'decimal', personalPassword: '' }

export function createNumbers(platform: Platform, { people, faces }: Pick<VisitorsDependencies, 'people' | 'faces'>): Numbers {
  const db = platform.db

  async function registered(scope: Scope, numbers: { phone: string; idNumber: string }[]) {
    const keys = numbers.map((one) => people.lookup.keysOf(scope, { ...NO_NUMBERS, ...one }))
    const holders = await people.lookup.holders(scope, keys)
    const persons = await people.describe(
      scope,
      holders.map(({ personId }) => personId),
    )
    const kindOf = new Map(persons.map(({ id, kind }) => [id, kind]))
    return keys.map((key) =>
      holders.flatMap(({ field, key: taken, personId }) =>
        key[field] === taken && kindOf.has(personId) ? [{ personId, kind: kindOf.get(personId)! }] : [],
      ),
    )
  }

  /** Return who of the register has these phones, and which of them visitors have who are there. */
  async function look(scope: Scope, { phone, peers }: Phones, visitId: string | null) {
    const phones = [phone, ...peers.map((peer) => peer.phone)]
    const holders = await registered(
      scope,
      phones.map((one) => ({ phone: one, idNumber: '' })),
    )
    const indexes = phones.map((one) => phoneIndexOf(platform.crypto, scope, one))
    const present = await findPresentPhones(scope, db, indexes, visitId)
    return { holders, isPresent: indexes.map((index) => present.some((one) => one.equals(index))) }
  }

  return {
    async inspect(visible, phones, visitId) {
      const { holders, isPresent } = await look(seeingAll(visible), phones, visitId)
      const found = holders.map((persons, at) => ({
        isPresent: isPresent[at]!,
        persons: persons.filter(({ kind }) => kind === 'staff' || kind === 'special'),
      }))
      const watched = found.flatMap(({ persons }) => persons.filter(({ kind }) => kind === 'special'))
      return {
        checks: [
          ...(found.some(({ persons }) => persons.length > 0) ? (['phone'] as const) : []),
          ...(found.some((one) => one.isPresent) ? (['present'] as const) : []),
        ],
        peers: found.flatMap((one, at) => (at > 0 && (one.isPresent || one.persons.length > 0) ? [at - 1] : [])),
        matches: [...new Set(watched.map(({ personId }) => personId))].map((personId) => ({ personId, by: 'phone', score: null })),
      }
    },
    async check(visible, phones, visitId) {
      const scope = seeingAll(visible)
      const pathOf = (at: number): string => (at === 0 ? 'phone' : `peers.${at - 1}.phone`)
      const { holders, isPresent } = await look(scope, phones, visitId)
      const placesOf = (isSought: (kind: string) => boolean): string[] =>
        holders.flatMap((persons, at) => (persons.some(({ kind }) => isSought(kind)) ? [pathOf(at)] : []))
      const watched: FieldIssue[] = placesOf((kind) => kind === 'special').map((path) => ({
        path,
        // A user who may not see the watch list does not learn who is on it.
        rule: seesWatchList(visible) ? 'visitorPhoneWatchList' : 'visitorPhone',
      }))
      if (watched.length > 0) throw new InvalidRequest(watched)
      const staff = placesOf((kind) => kind === 'staff')
      if (staff.length > 0) throw new Refusal(200446, { fields: staff.map((path) => ({ path, rule: 'code.200446' })) })
      const at = isPresent.indexOf(true)
      if (at >= 0) refuse(200445, pathOf(at))
    },
    async matches(visible, { idNumber, photoFileId }) {
      const scope = seeingAll(visible)
      const [holders = []] = idNumber === null ? [] : await registered(scope, [{ phone: '', idNumber }])
      const byNumber = holders.flatMap(({ personId, kind }): StoredMatch[] =>
        kind === 'special' ? [{ personId, by: 'idNumber', score: null }] : [],
      )
      const among = new Set(await people.lookedOutFor(scope))
      if (photoFileId === null || among.size === 0) return byNumber
      const picture = await platform.storage.load(scope, photoFileId, 'full')
      if (picture === null) return byNumber
      const { watchList: score } = await faces.thresholdsOf(scope)
      const found = await faces.findAmong(scope, picture, { among, score, isBackground: false })
      return found === null ? byNumber : [...byNumber, { personId: found.personId, by: 'face', score: found.score }]
    },
  }
}
