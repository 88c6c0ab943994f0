/**
 * What of a person is sealed at rest beside papers and passwords: phone, e-mail, card, day of birth, remark, instruction. Only
 * what is the whole of a number, or its last four characters, is found: by an index that says nothing to who does not
 * have the key.
 */
import type { Crypto } from '../../platform/encryption/crypto.ts'
import type { Scope } from '../../platform/session/session.ts'
import { placeOf, type SealedColumn } from '../../platform/encryption/sealed-column.ts'
import { cardKeyOf } from './card.ts'

/** As a person's other values: null where there is nothing. */
export interface PersonDetails {
  phone: string | null
  email: string | null
  cardNumber: string | null
  /** The number as such, however it is written. */
  cardKey: string | null
  birthday: string | null
  remark: string
  /** What is to be done when somebody of the watch list appears; empty for everybody else. */
  instruction: string
}

/** The same as a row has it; null where a person has nothing of it. */
export interface SealedDetails {
  details: Buffer | null
  phoneIndex: Buffer | null
  phoneEnding: Buffer | null
  cardIndex: Buffer | null
  cardEnding: Buffer | null
}

export const PERSON_DETAILS: SealedColumn = { table: 'person', column: 'details', park: 'park_id', key: ['id'] }

/** Characters at the end of a number by which it is found. */
const ENDING = 4

type Keys = Pick<Crypto, 'blindIndex'>
/** Of a person who has none of it. */
export const NO_DETAILS: PersonDetails = {
  phone: null,
  email: null,
  cardNumber: null,
  cardKey: null,
  birthday: null,
  remark: '',
  instruction: '',
}

/** The park stands in it: nobody sees who has the same number elsewhere. */
const indexOf = ({ blindIndex }: Keys, { parkId }: Scope, what: string, value: string): Buffer =>
  blindIndex(JSON.stringify([what, parkId, value]))

const endingOf = (keys: Keys, scope: Scope, what: string, number: string | null): Buffer | null =>
  number === null || number.length < ENDING ? null : indexOf(keys, scope, `${what} ending`, number.slice(-ENDING).toLowerCase())

/** What phones are compared by. */
export const phoneIndexOf = (keys: Keys, scope: Scope, phone: string): Buffer => indexOf(keys, scope, 'phone', phone)

/** What endings of phones are compared by; null where there are fewer than four characters. */
export const phoneEndingOf = (keys: Keys, scope: Scope, phone: string): Buffer | null => endingOf(keys, scope, 'phone', phone)

/** What cards are compared by. @param key the number as such */
export const cardIndexOf = (keys: Keys, scope: Scope, key: string): Buffer => indexOf(keys, scope, 'card', key)

/** What endings of cards are compared by; null where there is none of four characters. */
export const cardEndingOf = (keys: Keys, scope: Scope, number: string): Buffer | null => endingOf(keys, scope, 'card', number)

/** What a person whose phone was asked for has in these columns. `ending`: absent where the text is no ending, or must not be asked for. */
export interface NumberQuery {
  whole: Buffer[]
  ending: Buffer | null
}

const endingQuery = (keys: Keys, scope: Scope, what: string, text: string): Buffer | null =>
  // A user who sees them masked finds whole values only, here as in all personal fields.
  scope.sees?.masked === true || text.length !== ENDING ? null : endingOf(keys, scope, what, text)

/** What a search for a phone looks for: the whole number, or the last four characters of it. */
export const phoneQuery = (keys: Keys, scope: Scope, text: string): NumberQuery => ({
  whole: [phoneIndexOf(keys, scope, text.trim())],
  ending: endingQuery(keys, scope, 'phone', text.trim()),
})

/** What a search for a card looks for: the number in whichever way it is written, or the last four characters as it was written. */
export const cardQuery = (keys: Keys, scope: Scope, text: string): NumberQuery => {
  const number = text.trim()
  const numbers = [cardKeyOf(number, 'decimal'), cardKeyOf(number, 'hex'), `=${number}`]
  return {
    whole: [...new Set(numbers)].map((key) => cardIndexOf(keys, scope, key!)),
    ending: endingQuery(keys, scope, 'card', number),
  }
}

/** Seal what a person has of these. @param personId for whose row it is */
export async function sealedDetailsOf(crypto: Crypto, scope: Scope, personId: string, details: PersonDetails): Promise<SealedDetails> {
  const { phone, email, cardNumber, cardKey, birthday, remark, instruction } = details
  const isEmpty = [phone, email, cardNumber, cardKey, birthday].every((value) => value === null) && remark === '' && instruction === ''
  const text = JSON.stringify({ phone, email, cardNumber, cardKey, birthday, remark, instruction } satisfies PersonDetails)
  return {
    details: isEmpty ? null : await crypto.seal(scope.parkId, placeOf(PERSON_DETAILS, personId), Buffer.from(text)),
    phoneIndex: phone === null ? null : phoneIndexOf(crypto, scope, phone),
    phoneEnding: endingOf(crypto, scope, 'phone', phone),
    cardIndex: cardKey === null ? null : cardIndexOf(crypto, scope, cardKey),
    cardEnding: endingOf(crypto, scope, 'card', cardNumber),
  }
}

/** What opens rows: each comes back with its details in place of what is sealed, with none where they cannot be read. */
export async function detailsOpener(
  crypto: Pick<Crypto, 'reader'>,
  { parkId }: Scope,
): Promise<<Row extends { id: string; details: Buffer | null }>(row: Row) => Omit<Row, 'details'> & PersonDetails> {
  const read = await crypto.reader(parkId)
  return ({ details, ...row }) => {
    const opened = details && read(placeOf(PERSON_DETAILS, row.id), details)
    // What was sealed before a detail was thought of has none of it.
    return { ...row, ...NO_DETAILS, ...(opened !== null && (JSON.parse(opened.toString('utf8')) as Partial<PersonDetails>)) }
  }
}
