/** Cells of a row as the fields of the person form: words and numbers of three languages, dates, groups by name or path. */
import { LANGUAGES } from '@gatehouse/contract'
import { gender, personCardType } from '@gatehouse/contract/enums'
import en from '@gatehouse/contract/i18n/en/enums.json' with { type: 'json' }
import zhCN from '@gatehouse/contract/i18n/zh-CN/enums.json' with { type: 'json' }
import zhTW from '@gatehouse/contract/i18n/zh-TW/enums.json' with { type: 'json' }
import type { PersonGroupNode } from '@gatehouse/contract/people/groups'
import { fileTexts } from '../../platform/texts.ts'
import { typedDay, typedMoment } from '../organisation/index.ts'
import { customIdOf, type ImportField } from './columns.ts'
import type { StoredIssue } from './schema.ts'

/** Texts of the cells that are not empty, by column. */
export type RowValues = Partial<Record<ImportField, string>> & Record<string, string>

export interface RowFields {
  /** Fields of the person form, of the cells that were filled in. */
  fields: Record<string, unknown>
  issues: StoredIssue[]
}

export const plain = (text: string): string => text.normalize('NFKC').replace(/\s+/g, '').toLowerCase()
const wordsOf = <Value>(pairs: Iterable<readonly [word: string, value: Value]>): Map<string, Value> =>
  new Map([...pairs].map(([word, value]) => [plain(word), value]))
const enums = [en, zhCN, zhTW]
const persons = LANGUAGES.map((language) => fileTexts(language).persons)

const GENDERS = wordsOf<number>([
  ...enums.flatMap((one) => Object.entries(one.gender).map(([value, word]) => [word, Number(value)] as const)),
  ...Object.entries(gender).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name, value] as const, [String(value), value] as const] : [],
  ),
  ['m', 1],
  ['f', 2],
])
const CARD_TYPES = wordsOf<number>([
  ...enums.flatMap((one) => Object.entries(one.personCardType).map(([value, word]) => [word, Number(value)] as const)),
  ...Object.entries(personCardType).flatMap(([name, value]) =>
    typeof value === 'number' ? [[name, value] as const, [String(value), value] as const] : [],
  ),
])
const CARD_FORMATS = wordsOf(
  enums.flatMap((one) =>
    Object.entries(one.cardNumberFormat).flatMap(([value, word]) => [[word, value] as const, [value, value] as const]),
  ),
)
const ID_TYPES = wordsOf(
  persons.flatMap(({ idType }) => Object.entries(idType).flatMap(([value, word]) => [[word, value] as const, [value, value] as const])),
)
const CONSENTS = wordsOf<boolean | null>([
  ...persons.flatMap(
    ({ consent, yes, no }) =>
      [
        [consent.given, true],
        [consent.withdrawn, false],
        [consent.none, null],
        [yes, true],
        [no, null],
      ] as const,
  ),
  ...(['given', 'true', 'y', 'yes', '1', '是', '同意'] as const).map((word) => [word, true] as const),
  ...(['withdrawn'] as const).map((word) => [word, false] as const),
  ...(['none', 'not given', 'false', 'n', 'no', '0', '否', '不同意'] as const).map((word) => [word, null] as const),
])
/** What an export says of a password: whether there is one. */
const WHETHER = new Set(persons.flatMap(({ yes, no }) => [plain(yes), plain(no)]))
/** Whether a cell gives its field nothing: it is empty, or stands in for a password. */
export const isNothing = (field: string, text: string): boolean =>
  text === '' || (field === ('personalPassword' satisfies ImportField) && WHETHER.has(plain(text)))

/** Fields that take one of so many words; null: as if nothing stood there. */
const WORDS = new Map<string, ReadonlyMap<string, unknown>>(
  Object.entries({
    gender: GENDERS,
    cardType: CARD_TYPES,
    cardNumberFormat: CARD_FORMATS,
    idType: ID_TYPES,
    faceConsent: CONSENTS,
  } satisfies Partial<Record<ImportField, ReadonlyMap<string, unknown>>>),
)

/** Groups as a cell may name them. */
export interface GroupNames {
  /** Ids by name, and by path from the top. */
  byText: ReadonlyMap<string, readonly string[]>
  nameOf: ReadonlyMap<string, string>
}

const groupText = (text: string): string => text.split(/[/／]/).map(plain).join('/')

export function groupNamesOf(tree: readonly PersonGroupNode[]): GroupNames {
  const [byText, nameOf] = [new Map<string, string[]>(), new Map<string, string>()]
  const add = (text: string, id: string) => byText.set(text, [...(byText.get(text) ?? []), id])
  const walk = (node: PersonGroupNode, above: string): void => {
    const path = above === '' ? plain(node.name) : `${above}/${plain(node.name)}`
    nameOf.set(node.id, node.name)
    add(path, node.id)
    // Any part of a path from below is enough where it names one group.
    for (let from = path.indexOf('/'); from >= 0; from = path.indexOf('/', from + 1)) add(path.slice(from + 1), node.id)
    for (const child of node.children) walk(child, path)
  }
  for (const node of tree) walk(node, '')
  return { byText, nameOf }
}

/** What a row says. Whether it may be said is up to the person form; what it cannot be told is an issue. */
export function fieldsOf(values: RowValues, groups: GroupNames, zone: string): RowFields {
  const fields: Record<string, unknown> = {}
  const issues: StoredIssue[] = []
  const customFields: { id: string; value: string }[] = []
  const wrong = (field: string, rule: string, params?: StoredIssue['params']) =>
    void issues.push({ field, code: null, rule, ...(params && { params }) })
  for (const [key, text] of Object.entries(values)) {
    const customId = customIdOf(key)
    if (customId !== null) {
      customFields.push({ id: customId, value: text })
      continue
    }
    const words = WORDS.get(key)
    if (words !== undefined) {
      const value = words.get(plain(text))
      if (value === undefined) wrong(key, 'invalid')
      else if (value !== null) fields[key] = value
      continue
    }
    switch (key as ImportField) {
      case 'groupName': {
        const ids = groups.byText.get(groupText(text)) ?? []
        if (ids.length === 1) fields['groupId'] = ids[0]
        else wrong('groupName', ids.length === 0 ? 'unknownGroup' : 'ambiguousGroup', { name: text.trim() })
        break
      }
      case 'birthday':
        fields['birthday'] = typedDay(text)?.day ?? text
        break
      case 'validFrom':
      case 'validTo': {
        const moment = typedMoment(text, zone, key === 'validTo')
        if (moment === null) wrong(key, 'moment')
        else fields[key] = moment
        break
      }
      default:
        fields[key] = text
    }
  }
  if (customFields.length > 0) fields['customFields'] = customFields
  return { fields, issues }
}
