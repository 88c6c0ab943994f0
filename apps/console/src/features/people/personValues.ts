/** What the person form starts from. */
import type { FieldIssue, InputOf } from '@gatehouse/contract'
import type { Person, personFields } from '@gatehouse/contract/people/calls'
import { gender } from '@gatehouse/contract/enums/people'
import { useSession } from '../../kit/session.ts'

export type PersonValues = Partial<InputOf<typeof personFields>>

export const newPerson = (groupId: string | undefined): PersonValues => ({ gender: gender.unknown, groupId, facePhotos: [], validFrom: null, validTo: null })

export const valuesOf = (person: Person): PersonValues => ({
  name: person.name,
  workNumber: person.workNumber,
  phone: person.phone,
  gender: person.gender as PersonValues['gender'],
  groupId: person.groupId,
  cardNumber: person.cardNumber,
  idNumber: person.idNumber,
  birthday: person.birthday,
  validFrom: person.validFrom,
  validTo: person.validTo,
  facePhotos: person.facePhotos,
  remark: person.remark,
})

/** Whether the park wants a photograph of everybody; the server takes persons without one, as imports do. */
export const useFaceWanted = (): boolean => useSession(({ park }) => park?.staffFaceRegisterFlag === 1)

/** The form's own rule, see `useFaceWanted`. */
export const faceMissing = ({ facePhotos }: PersonValues): FieldIssue[] => (facePhotos?.length ? [] : [{ path: 'facePhotos', rule: 'required' }])
