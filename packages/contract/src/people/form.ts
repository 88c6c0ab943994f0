/** The person form of a park: custom fields besides the built-in ones, and whether a photo of the ID is required. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { TEXT_MAX } from '../limits.ts'
import { id } from '../schema.ts'
import { rule } from '../validation.ts'

const call = callsOf('people')

/** Characters of a field's title. */
export const CUSTOM_FIELD_TITLE_MAX = 32
/** Maximum number of fields that a park can add. */
export const CUSTOM_FIELDS_MAX = 50

/** Without blanks (AMBIGUITIES 37). */
const title = z
  .string()
  .trim()
  .min(1)
  .max(CUSTOM_FIELD_TITLE_MAX)
  .refine((value) => !/\s/.test(value), rule('noBlanks'))

export const customField = z.object({ id, title: z.string(), required: z.boolean(), visible: z.boolean(), order: z.number().int() })
export type CustomField = z.output<typeof customField>

export const personForm = z.object({ fields: z.array(customField), idPhotoRequired: z.boolean(), version: z.number().int() })
export type PersonForm = z.output<typeof personForm>

/** Value of a custom field in a person form. */
export const customFieldValue = z.object({ id, value: z.string().trim().max(TEXT_MAX).nullable() })
export const customFieldValueRow = z.object({ id, title: z.string(), value: z.string() })

const read = call({
  method: 'GET',
  service: 'biz',
  path: '/person/form',
  permission: 'self',
  summary: 'The person form of the current park.',
  data: personForm,
})

export const personFormCalls = {
  read,
  change: call({
    method: 'POST',
    service: 'biz',
    path: '/person/form',
    permission: 'park.form.setting',
    summary:
      'Replaces the fields, where any are sent, in the order that `order` gives them, else in which they are sent; those not ' +
      'among them are removed together with what persons have in them. A field without id is new. Two of one title: 900004.',
    record: read,
    body: z.object({
      fields: z
        .array(
          z.object({
            id: id.nullish(),
            title,
            required: z.boolean().default(false),
            visible: z.boolean().default(true),
            /** Absent: its position in the list, counted from 1. */
            order: z.number().int().nullish(),
          }),
        )
        .max(CUSTOM_FIELDS_MAX)
        .optional(),
      /** Absent: unchanged. */
      idPhotoRequired: z.boolean().optional(),
      version: z.number().int().optional(),
    }),
    data: personForm,
    errors: [900004],
  }),
}
