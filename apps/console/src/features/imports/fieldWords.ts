/** What the fields of a row are called: as the template's columns, those of the park's own form by their titles. */
import { useTranslation } from 'react-i18next'
import { IMPORT_FIELDS } from '@gatehouse/contract/imports/calls'
import { personFormCalls } from '@gatehouse/contract/people/form'
import { useRead } from '../../api/query.ts'

const OWN = 'custom.'
const known: readonly string[] = [...IMPORT_FIELDS, 'photo']

export interface FieldWords {
  labelOf: (field: string) => string
  /** Every field a row may have, in the order of the template. */
  fields: readonly string[]
}

export function useFieldWords(): FieldWords {
  const { t } = useTranslation('imports')
  const form = useRead(personFormCalls.read, {})
  const own = form.data?.fields ?? []
  return {
    labelOf: (field) =>
      (field.startsWith(OWN) ? own.find(({ id }) => field === OWN + id)?.title : known.includes(field) ? t(`field.${field}`) : undefined) ??
      field,
    fields: [...IMPORT_FIELDS, ...own.map(({ id }) => OWN + id)],
  }
}
