/** Entries of the operation log as a viewer may see them. */
import { mask } from '@gatehouse/contract/masking'
import type { FieldChange } from '../../platform/audit/marks.ts'
import type { OpenedChange } from '../../platform/audit/sealed.ts'
import type { Unseen } from '../people/index.ts'
import type { Viewer } from './service-types.ts'

/** Return the label of a change as the viewer may see it. */
export function labelOf(viewer: Viewer, { label = '', labelMask }: Pick<OpenedChange, 'label' | 'labelMask'>): string {
  return viewer.masking && labelMask !== undefined ? mask(labelMask, label) : label
}

/** Masks of fields that entries of earlier versions do not mark. */
const MARKED_SINCE: Readonly<Record<string, FieldChange['mask']>> = { cardNumber: 'cardNumber' }

/** Return a stored value as the viewer may see it. */
export function shown(viewer: Viewer, value: unknown, field: Pick<FieldChange, 'field' | 'mask'>): unknown {
  const kind = field.mask ?? MARKED_SINCE[field.field]
  if (!viewer.masking || kind === undefined || value === null || value === '') return value
  return kind === 'whole' || typeof value !== 'string' ? '***' : mask(kind, value)
}

/** Fields that list persons by their names alone. */
const LISTS_NAMES = 'persons'

/** Return the names in such fields of these changes. */
export const listedNames = (changes: readonly OpenedChange[]): string[] =>
  changes.flatMap(({ fields }) =>
    fields.flatMap(({ field, before, after }) =>
      field === LISTS_NAMES ? [before, after].flat().filter((name): name is string => typeof name === 'string') : [],
    ),
  )

/**
 * Return the fields without persons that do not exist for the viewer: a list without their entries, and no field that names one of them.
 * @param visibleNames among the names in lists of names, those of persons who exist for the viewer; whose the other names were is unknown
 */
export function seenFields(
  fields: readonly FieldChange[],
  unseen: Unseen | null,
  visibleNames: ReadonlySet<string>,
): readonly FieldChange[] {
  if (unseen === null) return fields
  const { ids, names } = unseen
  const isId = (value: unknown): boolean => typeof value === 'string' && ids.has(value)
  const isUnseenName = (field: string, value: unknown): boolean =>
    typeof value === 'string' && (names.has(value) || (field === LISTS_NAMES && !visibleNames.has(value)))
  const without = (field: string, value: unknown): unknown =>
    Array.isArray(value) ? value.filter((entry) => !isId(entry) && !isUnseenName(field, entry)) : value
  return fields.flatMap((field) =>
    isId(field.before) || isId(field.after)
      ? []
      : [{ ...field, before: without(field.field, field.before), after: without(field.field, field.after) }],
  )
}
