/** The columns of an exported sheet of persons, in the language of the user who exports it. */
import type { Language } from '@gatehouse/contract'
import en from '@gatehouse/contract/i18n/en/enums.json' with { type: 'json' }
import zhCN from '@gatehouse/contract/i18n/zh-CN/enums.json' with { type: 'json' }
import zhTW from '@gatehouse/contract/i18n/zh-TW/enums.json' with { type: 'json' }
import type { Person } from '@gatehouse/contract/people/person'
import type { CustomField } from '@gatehouse/contract/people/form'
import { PLAIN_FIELDS, type PlainField } from '@gatehouse/contract/people/plain-fields'
import { fileTexts } from '../../platform/texts.ts'
import type { CellKind, SheetColumn } from '../../platform/documents/xlsx.ts'

/** One line: a person as lists show them, but with the values of the park's own fields by their ids, and pictures only as there or not. */
export interface ExportedPerson extends Pick<
  Person,
  | 'name'
  | 'workNumber'
  | 'phone'
  | 'email'
  | 'gender'
  | 'groupName'
  | 'kind'
  | 'status'
  | 'validFrom'
  | 'validTo'
  | 'cardType'
  | 'cardNumberFormat'
  | 'cardNumber'
  | 'idType'
  | 'idNumber'
  | PlainField
  | 'birthday'
  | 'hasPersonalPassword'
  | 'faceConsent'
  | 'consentAt'
  | 'remark'
  | 'createdAt'
  | 'updatedAt'
> {
  hasPhoto: boolean
  hasIdPhoto: boolean
  hasRegistrationPhoto: boolean
  custom: Readonly<Record<string, string>>
}

const enumWords = { en, 'zh-CN': zhCN, 'zh-TW': zhTW }

export function exportColumns(language: Language, fields: readonly Pick<CustomField, 'id' | 'title'>[]): SheetColumn<ExportedPerson>[] {
  const { columns, kind: kinds, idType, consent, yes, no } = fileTexts(language).persons
  const { gender, personStatus, personCardType, cardNumberFormat } = enumWords[language]
  /** Return the word for a value; a value without a word as it is. */
  const word = (words: Readonly<Record<string, string>>, value: string | number): string => words[String(value)] ?? String(value)
  const column = (
    name: keyof typeof columns,
    width: number,
    value: SheetColumn<ExportedPerson>['value'],
    kind: CellKind = 'text',
  ): SheetColumn<ExportedPerson> => ({ heading: columns[name], kind, width, value })
  const thereOrNot = (name: keyof typeof columns, is: (row: ExportedPerson) => boolean) => column(name, 12, (row) => (is(row) ? yes : no))
  return [
    column('name', 20, (row) => row.name),
    column('workNumber', 16, (row) => row.workNumber),
    column('phone', 18, (row) => row.phone),
    column('email', 24, (row) => row.email),
    column('gender', 10, (row) => word(gender, row.gender)),
    column('groupName', 20, (row) => row.groupName),
    column('kind', 16, (row) => word(kinds, row.kind)),
    column('status', 12, (row) => word(personStatus, row.status)),
    column('validFrom', 18, (row) => row.validFrom, 'moment'),
    column('validTo', 18, (row) => row.validTo, 'moment'),
    column('cardType', 12, (row) => word(personCardType, row.cardType)),
    column('cardNumberFormat', 18, (row) => word(cardNumberFormat, row.cardNumberFormat)),
    column('cardNumber', 18, (row) => row.cardNumber),
    column('idType', 16, (row) => word(idType, row.idType)),
    column('idNumber', 22, (row) => row.idNumber),
    ...PLAIN_FIELDS.map((field) => column(field, 16, (row) => row[field])),
    column('birthday', 12, (row) => row.birthday, 'day'),
    thereOrNot('photo', (row) => row.hasPhoto),
    thereOrNot('idPhoto', (row) => row.hasIdPhoto),
    thereOrNot('registrationPhoto', (row) => row.hasRegistrationPhoto),
    thereOrNot('personalPassword', (row) => row.hasPersonalPassword),
    column('consent', 16, (row) => word(consent, row.faceConsent)),
    column('consentAt', 18, (row) => row.consentAt, 'moment'),
    ...fields.map(({ id, title }): SheetColumn<ExportedPerson> => ({
      heading: title,
      kind: 'text',
      width: 20,
      value: (row) => row.custom[id] ?? '',
    })),
    column('remark', 40, (row) => row.remark),
    column('createdAt', 18, (row) => row.createdAt, 'moment'),
    column('updatedAt', 18, (row) => row.updatedAt, 'moment'),
  ]
}
