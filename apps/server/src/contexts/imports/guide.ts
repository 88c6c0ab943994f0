/** What an import's template says of itself: a row filled in as an example, and what each column takes. */
import { PASSCODE_MAX, PASSCODE_MIN, PERSON_NAME_MAX, PERSON_NUMBER_MAX, PHONE_MAX, PHONE_MIN, TEXT_MAX } from '@gatehouse/contract/limits'
import { LANGUAGES, type Language } from '@gatehouse/contract'
import en from '@gatehouse/contract/i18n/en/enums.json' with { type: 'json' }
import zhCN from '@gatehouse/contract/i18n/zh-CN/enums.json' with { type: 'json' }
import zhTW from '@gatehouse/contract/i18n/zh-TW/enums.json' with { type: 'json' }
import type { CustomField } from '@gatehouse/contract/people/form'
import { ofPlainFields, type PlainField } from '@gatehouse/contract/people/plain-fields'
import { fileTexts } from '../../platform/texts.ts'
import type { Sheet, SheetClock, SheetColumn } from '../../platform/documents/xlsx.ts'
import { columnsOf, headingOf, type ImportField } from './columns.ts'
import type { RowValues } from './values.ts'

const enumWords: Record<Language, typeof en> = { en, 'zh-CN': zhCN, 'zh-TW': zhTW }

const LIMITS: Readonly<Record<string, number>> = {
  name: PERSON_NAME_MAX,
  number: PERSON_NUMBER_MAX,
  phoneMin: PHONE_MIN,
  phoneMax: PHONE_MAX,
  passwordMin: PASSCODE_MIN,
  passwordMax: PASSCODE_MAX,
  text: TEXT_MAX,
}

const NAMES: ReadonlySet<string> = new Set(LANGUAGES.map((language) => fileTexts(language).imports.example))
const REMARKS: ReadonlySet<string> = new Set(LANGUAGES.map((language) => fileTexts(language).imports.guide.exampleRemark))

/**
 * Whether a row is the example of a template. Its name begins with an asterisk, which no name does; its remark says
 * what it is where the column of names was taken out.
 */
export const isExample = ({ name = '', remark = '' }: RowValues): boolean => NAMES.has(name) || (name === '' && REMARKS.has(remark))

/** Words that a column takes and no others. */
function choicesOf(language: Language): Partial<Record<ImportField, string[]>> {
  const { gender, personCardType, cardNumberFormat } = enumWords[language]
  const { idType, consent } = fileTexts(language).persons
  return {
    gender: Object.values(gender),
    cardType: Object.values(personCardType),
    cardNumberFormat: Object.values(cardNumberFormat),
    idType: Object.values(idType),
    faceConsent: [consent.given, consent.none],
  }
}

export function exampleOf(language: Language, form: readonly CustomField[]): RowValues {
  const { example, guide } = fileTexts(language).imports
  const examples: Partial<Record<PlainField, string>> = guide.examples
  const { gender, personCardType, cardNumberFormat } = enumWords[language]
  const { idType, consent } = fileTexts(language).persons
  return {
    name: example,
    workNumber: '10001',
    phone: '13800138000',
    gender: gender['2'],
    groupName: guide.exampleGroup,
    cardType: personCardType['2'],
    cardNumberFormat: cardNumberFormat.decimal,
    cardNumber: '0012345678',
    idType: idType.passport,
    idNumber: 'E12345678',
    ...ofPlainFields((field) => examples[field] ?? guide.exampleText),
    birthday: '1990-05-20',
    validFrom: '2026-01-01',
    validTo: '2027-12-31 18:00',
    personalPassword: '4711',
    faceConsent: consent.given,
    remark: guide.exampleRemark,
    ...Object.fromEntries(form.map(({ id }) => [`custom.${id}`, guide.exampleText])),
  }
}

/** What each column takes, as a sheet. */
export function guideSheet(language: Language, form: readonly CustomField[], clock: SheetClock): Sheet<readonly string[]> {
  const { guide } = fileTexts(language).imports
  const choices = new Map(Object.entries(choicesOf(language)))
  const allowedIn = new Map(
    Object.entries({ ...guide.columns, ...ofPlainFields(() => guide.columns.text) } satisfies Record<ImportField | 'text', string>),
  )
  const example = exampleOf(language, form)
  const required = new Set(['name', 'workNumber', ...form.flatMap((field) => (field.required ? [`custom.${field.id}`] : []))])
  const allowed = (key: string): string => {
    const values: Readonly<Record<string, string | number>> = {
      ...LIMITS,
      zone: clock.zone,
      choices: choices.get(key)?.join(' / ') ?? '',
    }
    // Fields of the park's own are texts too.
    return (allowedIn.get(key) ?? guide.columns.text).replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
  }
  const column = (at: number, heading: string, width: number): SheetColumn<readonly string[]> => ({
    heading,
    kind: 'text',
    width,
    value: (row) => row[at] ?? '',
  })
  return {
    name: guide.title,
    columns: [column(0, guide.column, 22), column(1, guide.required, 12), column(2, guide.allowed, 80), column(3, guide.example, 24)],
    clock,
    rows: (async function* () {
      for (const { key, heading } of columnsOf(language, form))
        yield [heading, required.has(key) ? guide.yes : guide.no, allowed(key), key === 'name' ? guide.exampleName : (example[key] ?? '')]
      yield []
      yield [headingOf(language, 'name'), '', guide.note, fileTexts(language).imports.example]
    })(),
  }
}
