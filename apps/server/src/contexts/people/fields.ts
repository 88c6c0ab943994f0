/** The fields of a person as forms send them. */
import type { z } from 'zod'
import type { personChange, personCreate, PersonKind } from '@gatehouse/contract/people/person-fields'
import { ofPlainFields, PLAIN_FIELDS } from '@gatehouse/contract/people/plain-fields'
import type { Actor, Session } from '../../platform/session/session.ts'
import type { PersonRow } from './data.ts'
import type { NotedConsent } from './extension-points.ts'

export type PersonFields = Omit<z.output<typeof personCreate>, 'contacts'> & Partial<Pick<z.output<typeof personCreate>, 'contacts'>>

/** What is left out stays as it was. */
export type PersonChange = Omit<z.output<typeof personChange>, 'id' | 'version'>

/** Who sent a form, and the channel through which its consent came; `form` where there is none. */
export type FormSender = Pick<Session, 'masking'> & Partial<Pick<Actor, 'operator'>> & { channel?: NotedConsent['channel'] }

/** Fields that another change of the same person may have made differ from a form that was opened before it. */
export const COMPARED_FIELDS = [
  'name',
  'workNumber',
  'phone',
  'email',
  'gender',
  'groupId',
  'cardType',
  'cardNumber',
  'idType',
  ...PLAIN_FIELDS,
  'birthday',
  'validFrom',
  'validTo',
  'idPhoto',
  'registrationPhoto',
  'consent',
  'remark',
  'instruction',
] as const

type EveryField = { [Field in Exclude<keyof Required<PersonFields>, 'contacts' | 'status'>]: PersonFields[Field] }

/** Return the form of a person that would change nothing. Fields that are undefined stay as they are. @param idNumber in clear */
export const formOf = (row: PersonRow, idNumber: string, facePhotos: string[]): EveryField => ({
  name: row.name,
  workNumber: row.workNumber,
  phone: row.phone,
  email: row.email,
  gender: row.gender as PersonFields['gender'],
  groupId: row.groupId,
  cardType: row.cardType as PersonFields['cardType'],
  cardNumberFormat: row.cardNumberFormat as PersonFields['cardNumberFormat'],
  cardNumber: row.cardNumber,
  idType: row.idType as PersonFields['idType'],
  idNumber,
  ...ofPlainFields((field) => row[field]),
  birthday: row.birthday,
  validFrom: row.validFrom,
  validTo: row.validTo,
  facePhotos,
  idPhoto: undefined,
  registrationPhoto: undefined,
  personalPassword: undefined,
  faceConsent: undefined,
  customFields: undefined,
  remark: row.remark,
  instruction: undefined,
  kind: row.kind as PersonKind,
})
