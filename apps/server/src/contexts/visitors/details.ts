/** What of a visitor and of companions is sealed at rest: phone, e-mail address, card, certificate. */
import type { Language } from '@gatehouse/contract'
import type { ID_TYPES } from '@gatehouse/contract/people/person-fields'
import type { Crypto } from '../../platform/encryption/crypto.ts'
import { placeOf } from '../../platform/encryption/sealed-column.ts'
import type { Scope } from '../../platform/session/session.ts'
import { PEER_DETAILS, VISIT_DETAILS } from './schema.ts'

export interface Certificate {
  type: (typeof ID_TYPES)[number]
  number: string
}

export interface VisitDetails {
  phone: string
  email: string | null
  /** Of e-mails to the visitor. */
  language: Language
  cardNumber: string | null
  cardNumberFormat: 'decimal' | 'hex'
  certificate: Certificate | null
}

export interface PeerDetails {
  phone: string
  idNumber: string | null
}

/** What stands in place of details that cannot be opened any more. */
const NO_VISIT_DETAILS: VisitDetails = {
  phone: '',
  email: null,
  language: 'zh-CN',
  cardNumber: null,
  cardNumberFormat: 'decimal',
  certificate: null,
}
const NO_PEER_DETAILS: PeerDetails = { phone: '', idNumber: null }

type Keys = Pick<Crypto, 'seal' | 'reader'>

export const sealVisit = (crypto: Keys, { parkId }: Scope, id: string, details: VisitDetails): Promise<Buffer> =>
  crypto.seal(parkId, placeOf(VISIT_DETAILS, id), Buffer.from(JSON.stringify(details)))

export const sealPeer = (crypto: Keys, { parkId }: Scope, id: string, details: PeerDetails): Promise<Buffer> =>
  crypto.seal(parkId, placeOf(PEER_DETAILS, id), Buffer.from(JSON.stringify(details)))

/** Return functions that open the details of rows of a park. */
export async function openersOf(crypto: Pick<Crypto, 'reader'>, { parkId }: Scope) {
  const read = await crypto.reader(parkId)
  const opened = (bytes: Buffer | null): object => (bytes === null ? {} : (JSON.parse(bytes.toString('utf8')) as object))
  return {
    visit: (id: string, sealed: Buffer): VisitDetails => ({ ...NO_VISIT_DETAILS, ...opened(read(placeOf(VISIT_DETAILS, id), sealed)) }),
    peer: (id: string, sealed: Buffer): PeerDetails => ({ ...NO_PEER_DETAILS, ...opened(read(placeOf(PEER_DETAILS, id), sealed)) }),
  }
}
