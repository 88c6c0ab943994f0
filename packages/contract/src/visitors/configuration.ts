/** Configuration of visits in a park, and the own fields of the visitor form. */
import { z } from 'zod'
import { callsOf } from '../call.ts'
import { cardNumberFormat } from '../enums/people.ts'
import { customFieldInputType, visitReason } from '../enums/visitors.ts'
import { SIGN_IN_LEAD_MAX, SIGN_IN_LEAD_MIN, TEXT_MAX, VISITOR_DAYS_MAX, VISITOR_DAYS_MIN } from '../limits.ts'
import { CUSTOM_FIELD_TITLE_MAX, CUSTOM_FIELDS_MAX } from '../people/form.ts'
import { changeOf, id } from '../schema.ts'
import { timeOfDay } from '../strategies/calls.ts'
import { rule } from '../validation.ts'

const call = callsOf('visitors')

/** Devices that sign visitors off, at most. */
const SIGN_OFF_DEVICES_MAX = 200
/** Visitor machines of a park, at most. */
const VISITOR_MACHINES_MAX = 20
/** Choices of an own field, at most. */
export const VISITOR_CHOICES_MAX = 50

export const visitorConfigurationFields = z.object({
  /** Visitors pass doors by themselves; if not, they are met at the desk and no device knows them. */
  needAuthorisation: z.boolean(),
  /** Days for which a visit lasts if the form names no end. */
  defaultValidDays: z.number().int().min(VISITOR_DAYS_MIN).max(VISITOR_DAYS_MAX),
  /** Nobody is signed in without a card. */
  forcedCardIssue: z.boolean(),
  /** Visitors are signed off by hand. If not, a passage outwards ends the visit. */
  openSignOff: z.boolean(),
  /** A passage at one of these devices signs off. */
  autoSignOffAtDevices: z.array(id).max(SIGN_OFF_DEVICES_MAX),
  /** Devices at which visitors sign themselves in and off. */
  visitorMachines: z.array(id).max(VISITOR_MACHINES_MAX),
  /** Visitor machines print the badges of those who sign in. */
  visitorMachinesPrint: z.boolean(),
  /**
   * When a visitor who is still signed in is signed off after the authorisation has ended: `nextDay`, at once; a time of the day after it;
   * empty: never, the visit expires.
   */
  expiredAutoSignOffTime: z.union([z.literal(''), z.literal('nextDay'), timeOfDay]),
  cardFormat: cardNumberFormat.schema,
  intervieweeRequired: z.boolean(),
  certificateRequired: z.boolean(),
  /** Reservations wait for a review. */
  approvalSwitch: z.boolean(),
  /** A reservation that needs no review is confirmed by the host. */
  hostConfirms: z.boolean(),
  companyName: z.string().trim().max(TEXT_MAX),
  address: z.string().trim().max(TEXT_MAX),
  /** Degrees; null: unknown. */
  coordinates: z.object({ latitude: z.number().min(-90).max(90), longitude: z.number().min(-180).max(180) }).nullable(),
  /** A QR pass admits once; if not, as often as its visitor may pass. */
  qrOneUse: z.boolean(),
  /** Minutes before the visit from which a visitor is signed in and may pass. */
  signInLeadMinutes: z.number().int().min(SIGN_IN_LEAD_MIN).max(SIGN_IN_LEAD_MAX),
  /** At least one (VAL-093). */
  visitReasons: z
    .array(visitReason.schema)
    .min(1)
    .max(visitReason.values.length)
    .refine((reasons) => new Set(reasons).size === reasons.length, rule('duplicate')),
})
export const visitorConfiguration = visitorConfigurationFields.extend({ version: z.number().int() })
export type VisitorConfiguration = z.output<typeof visitorConfiguration>

/** Without blanks (AMBIGUITIES 37). */
const word = z
  .string()
  .trim()
  .min(1)
  .max(CUSTOM_FIELD_TITLE_MAX)
  .refine((value) => !/\s/.test(value), rule('noBlanks'))

const fieldRow = z.object({
  id,
  displayName: z.string(),
  fieldName: z.string(),
  inputType: customFieldInputType.schema,
  /** Choices, separated by semicolons. */
  values: z.string(),
  showInVisitorList: z.boolean(),
  required: z.boolean(),
  order: z.number().int(),
})
export type VisitorField = z.output<typeof fieldRow>

/** Return the choices of a field: separated by semicolons of either width, each once. */
export const choicesOf = (values: string): string[] => [
  ...new Set(
    values
      .split(/[;；]/)
      .map((value) => value.trim())
      .filter((value) => value !== ''),
  ),
]

const takesChoices = (inputType: number): boolean =>
  inputType === customFieldInputType.select || inputType === customFieldInputType.radio || inputType === customFieldInputType.multiple

const fieldFields = z
  .object({
    id: id.nullish(),
    displayName: word,
    /** Unique within the park. */
    fieldName: word,
    inputType: customFieldInputType.schema,
    values: z.string().trim().max(2000).default(''),
    showInVisitorList: z.boolean().default(false),
    required: z.boolean().default(false),
    /** Absent: its position in the list, counted from 1. */
    order: z.number().int().nullish(),
  })
  .refine(({ inputType, values }) => !takesChoices(inputType) || choicesOf(values).length > 0, { path: ['values'], ...rule('required') })
  .refine(({ values }) => choicesOf(values).length <= VISITOR_CHOICES_MAX, {
    path: ['values'],
    ...rule('max.array', { limit: VISITOR_CHOICES_MAX }),
  })

const form = z.object({ fields: z.array(fieldRow), version: z.number().int() })
export type VisitorForm = z.output<typeof form>

const base = { service: 'visitor', origin: 'own' } as const

const read = call({
  ...base,
  method: 'GET',
  path: '/visitor/configuration',
  permission: 'self',
  summary: 'Configuration of visits in the current park.',
  data: visitorConfiguration,
})
const readForm = call({
  ...base,
  method: 'GET',
  path: '/visitor/form',
  permission: 'self',
  summary: 'Own fields of the visitor form, in their order.',
  data: form,
})

export const visitorConfigurationCalls = {
  read,
  change: call({
    ...base,
    method: 'PUT',
    path: '/visitor/configuration',
    permission: 'visitor.mp.setting',
    summary: 'Changes the configuration of visits; what is left out stays as it was.',
    record: read,
    body: changeOf(visitorConfigurationFields).extend({ version: z.number().int().optional() }),
    data: visitorConfiguration,
  }),
  readForm,
  changeForm: call({
    ...base,
    method: 'PUT',
    path: '/visitor/form',
    permission: 'visitor.mp.setting',
    summary:
      'Replaces the own fields of the visitor form; those not among them are removed together with what visits have in them. A field ' +
      'without id is new. Two of one field name: 900004.',
    record: readForm,
    body: z.object({
      /** Absent: unchanged. */ fields: z.array(fieldFields).max(CUSTOM_FIELDS_MAX).optional(),
      version: z.number().int().optional(),
    }),
    data: form,
    errors: [900004],
  }),
}
