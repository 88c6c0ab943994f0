/** The registers that can be filled, and the names of the fields of a row. */
import { useTranslation } from 'react-i18next'
import type { PersonKind } from '@gatehouse/contract/people/person-fields'
import { IMPORT_FIELDS } from '@gatehouse/contract/imports/calls'
import { personFormCalls } from '@gatehouse/contract/people/form'
import { PLAIN_FIELDS } from '@gatehouse/contract/people/plain-fields'
import { useMayOpen } from '../../api/session.ts'
import { path } from '../../paths.ts'
import { screens } from '../../screens.ts'
import { useRead } from '../../api/query.ts'

const LIST = { staff: 'staffList', customer: 'customerList', special: 'blacklist' } as const
const PAGE = { staff: 'staffDetails', customer: 'customerDetails', special: 'blackDetails' } as const

/** Return the address of a register, filtered. */
export const listAddress = (kind: PersonKind, query: Record<string, string> = {}): string => {
  const search = new URLSearchParams(query)
  return path(LIST[kind]) + (search.size > 0 ? `?${search}` : '')
}
export const personAddress = (kind: PersonKind, id: string): string => path(PAGE[kind], { id })

/** Return the registers that the session may open. */
export function useKinds(): PersonKind[] {
  const staff = useMayOpen(screens.staffList)
  const customer = useMayOpen(screens.customerList)
  const special = useMayOpen(screens.blacklist)
  return [...(staff ? (['staff'] as const) : []), ...(customer ? (['customer'] as const) : []), ...(special ? (['special'] as const) : [])]
}

const OWN = 'custom.'
const templateFields: readonly string[] = [...IMPORT_FIELDS, 'photo']
const plain: readonly string[] = PLAIN_FIELDS

interface FieldWords {
  labelOf: (field: string) => string
  /** Every field a row may have, in the order of the template. */
  fields: readonly string[]
}

/** Return the names of the fields of a row: those of the columns of the template, and the titles of the park's own fields. */
export function useFieldWords(): FieldWords {
  const { t } = useTranslation('imports')
  const form = useRead(personFormCalls.read, {})
  const parkFields = form.data?.fields ?? []
  return {
    labelOf(field) {
      if (plain.includes(field)) return t(`audit:field.${field}`)
      if (templateFields.includes(field)) return t(`field.${field}`)
      return parkFields.find(({ id }) => field === OWN + id)?.title ?? field
    },
    fields: [...IMPORT_FIELDS, ...parkFields.map(({ id }) => OWN + id)],
  }
}
