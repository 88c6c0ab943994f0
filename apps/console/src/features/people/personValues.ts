/** Values of the person form. */
import type { InputOf } from '@gatehouse/contract'
import type { Person } from '@gatehouse/contract/people/person'
import type { PersonKind, personChange } from '@gatehouse/contract/people/person-fields'
import { cardNumberFormat, gender, personCardType } from '@gatehouse/contract/enums/people'
import { ofPlainFields } from '@gatehouse/contract/people/plain-fields'
import type { Likenesses } from '../../shared/cachedFaces.ts'
import { useSession } from '../../api/session.ts'
import type { PermitValue } from '../approvals/index.ts'

export type PersonValues = Partial<Omit<InputOf<typeof personChange>, 'id' | 'version'>> & {
  /** Answers about look-alikes; not sent with the person. */
  likenesses?: Likenesses
  /** Where the person is to be permitted; not sent with the person. */
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

/** Return the values of a person, without the personal password, which is never sent, and the consent, which can only be added. */
export const valuesOf = (person: Person): PersonValues => ({
  name: person.name,
  workNumber: person.workNumber,
  phone: person.phone,
  email: person.email,
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

/** Return the values of a person of the watch list. */
export const specialValuesOf = (person: Person): PersonValues => ({ ...valuesOf(person), instruction: person.instruction })

/** Return whether the park demands a photograph of persons of a kind. Only the form does: the server accepts persons without one. */
export const useIsPhotoRequired = (kind: PersonKind): boolean =>
  useSession(
    ({ park }) => (kind === 'staff' && park?.staffFaceRegisterFlag === 1) || (kind === 'customer' && park?.customerFaceRegisterFlag === 1),
  )
