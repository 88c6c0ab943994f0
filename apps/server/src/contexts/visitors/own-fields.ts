/** Values of the park's own fields of the visitor form. */
import type { FieldIssue } from '@gatehouse/contract'
import { customFieldInputType } from '@gatehouse/contract/enums/visitors'
import { choicesOf, type VisitorField } from '@gatehouse/contract/visitors/configuration'
import { VISITOR_VALUE_MAX } from '@gatehouse/contract/visitors/fields'
import { isUuid } from '../../platform/database/ids.ts'
import { InvalidRequest } from '../../platform/http/refusal.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Storage } from '../../platform/storage/storage-types.ts'
import type { Pictures } from './pictures.ts'

type Values = Readonly<Record<string, string>>

const type = customFieldInputType

/** Return the value as it is stored; null where the field does not take it. */
function storedText({ inputType, values }: VisitorField, value: string): string | null {
  const choices = choicesOf(values)
  if (inputType === type.select || inputType === type.radio) return choices.includes(value) ? value : null
  if (inputType !== type.multiple) return value.length <= VISITOR_VALUE_MAX ? value : null
  const chosen = choicesOf(value)
  return chosen.every((one) => choices.includes(one)) ? chosen.join(';') : null
}

/** Return the files that values of pictures name. */
export const filesOfValues = (fields: readonly VisitorField[], values: Values): string[] =>
  fields.flatMap(({ id, inputType }) => (inputType === type.image && isUuid(values[id] ?? '') ? [values[id]!] : []))

/**
 * Return the values of all fields as they come to be stored: those sent over those there are. A picture is stored as its file.
 * @throws InvalidRequest at `customFields.<id of the field>`
 */
export async function ownValues(
  scope: Scope,
  pictures: Pictures,
  fields: readonly VisitorField[],
  present: Values,
  sent: readonly { id: string; value: string | null }[],
): Promise<Record<string, string>> {
  const byId = new Map(sent.map(({ id, value }) => [id, value ?? '']))
  const issues: FieldIssue[] = [...byId.keys()]
    .filter((id) => !fields.some((field) => field.id === id))
    .map((id) => ({ path: `customFields.${id}`, rule: 'unknown' }))
  const values: Record<string, string> = {}
  for (const field of fields) {
    const path = `customFields.${field.id}`
    const before = present[field.id] ?? ''
    const value = byId.get(field.id)
    let after: string | null = value ?? before
    if (value !== undefined && value !== '')
      after =
        field.inputType === type.image ? await pictures.take(scope, value, isUuid(before) ? before : null, path) : storedText(field, value)
    if (after === null) issues.push({ path, rule: 'invalid' })
    else if (after === '' && field.required) issues.push({ path, rule: 'required' })
    else if (after !== '') values[field.id] = after
  }
  if (issues.length > 0) throw new InvalidRequest(issues)
  return values
}

/** Return fields with their values as calls answer them: of a picture its address. */
export const shownValues = (
  scope: Scope,
  storage: Pick<Storage, 'address'>,
  fields: readonly VisitorField[],
  values: Values,
): { id: string; title: string; value: string }[] =>
  fields.map(({ id, displayName, inputType }) => {
    const value = values[id] ?? ''
    return { id, title: displayName, value: inputType === type.image && isUuid(value) ? storage.address(scope, value, 'full') : value }
  })
