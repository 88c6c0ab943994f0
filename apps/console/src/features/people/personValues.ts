/** What the person form starts from. */
import type { InputOf } from '@gatehouse/contract'
import type { Person, PersonKind, personChange } from '@gatehouse/contract/people/calls'
import { cardNumberFormat, gender, personCardType } from '@gatehouse/contract/enums/people'
import { ofPlainFields } from '@gatehouse/contract/people/plain-fields'
import type { Likenesses } from '../../shared/cachedFaces.ts'
import { useSession } from '../../api/session.ts'
import type { PermitValue } from '../approvals/index.ts'

export type PersonValues = Partial<Omit<InputOf<typeof personChange>, 'id' | 'version'>> & {
  /** What was said of those who look alike; not part of what is sent. */
  likenesses?: Likenesses
  /** Where they are to be let pass; not part of what is sent. */
  permit?: PermitValue
}

export const newPerson = (groupId: string | undefined): PersonValues => ({
  gender: gender.unknown,
  groupId,
  facePhotos: [],
  validFrom: null,
  validTo: null,
  cardType: personCardType.other,
  cardNumberFormat: cardNumberFormat.decimal,
})

/** Without the personal password, which is never told, and the consent, which is only ever added. */
export const valuesOf = (person: Person): PersonValues => ({
  name: person.name,
  workNumber: person.workNumber,
  phone: person.phone,
  gender: person.gender as PersonValues['gender'],
  groupId: person.groupId,
  cardType: person.cardType as PersonValues['cardType'],
  cardNumberFormat: person.cardNumberFormat as PersonValues['cardNumberFormat'],
  cardNumber: person.cardNumber,
  idType: person.idType as PersonValues['idType'],
  idNumber: person.idNumber,
  ...ofPlainFields((field) => person[field]),
  birthday: person.birthday,
  validFrom: person.validFrom,
  validTo: person.validTo,
  facePhotos: person.facePhotos,
  idPhoto: person.idPhoto,
  registrationPhoto: person.registrationPhoto,
  customFields: person.customFields.map(({ id, value }) => ({ id, value })),
  remark: person.remark,
})

/** The same of somebody of the watch list. */
export const specialValuesOf = (person: Person): PersonValues => ({ ...valuesOf(person), instruction: person.instruction })

/** Whether the park wants a photograph of everybody of a kind; the server takes persons without one, as imports do. */
export const useFaceWanted = (kind: PersonKind): boolean =>
  useSession(
    ({ park }) => (kind === 'staff' && park?.staffFaceRegisterFlag === 1) || (kind === 'customer' && park?.customerFaceRegisterFlag === 1),
  )
