/**
 * Schemas shared by all contexts: ids, times, paging. A failed rule is identified by `rule` and worded by `i18n/<lang>/validation.json`.
 */
import { z } from 'zod'
import { rule } from './validation.ts'
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from './limits.ts'
import { changesByItself } from './wire-names.ts'

/** Ids are UUIDv7 strings created by the application; a text that is not a UUID identifies nothing. */
export const id = z.uuid()
/** Epoch milliseconds. */
export const instant = z.number().int().min(0).max(8_640_000_000_000_000)
/**
 * What the caller may do with a row in its current state, one flag for each action: `can: abilities('change', 'delete')`. False: the server
 * would refuse the action because of the row, or it would change nothing. Whether a session may make the call at all is declared by the
 * call.
 */
export const abilities = <Action extends string>(...actions: Action[]) =>
  changesByItself(z.object(Object.fromEntries(actions.map((action) => [action, z.boolean()])) as Record<Action, z.ZodBoolean>))
/** `YYYY-MM-DD`. */
export const date = z.string().refine((value) => {
  // `Date.parse` takes 30 February for 2 March: only a date that comes back unchanged is one.
  const parsed = /^\d{4}-\d{2}-\d{2}$/.test(value) ? new Date(`${value}T00:00:00Z`) : null
  return parsed !== null && !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(value)
}, rule('date'))
/** A number in a query string. */
export const queryNumber = z.coerce.number()
/** A list in a query string, repeated (`?a=1&a=2`) or separated by commas. */
export const queryList = <S extends z.ZodType>(item: S) =>
  z.preprocess(
    (value) => (value === undefined || value === '' ? undefined : Array.isArray(value) ? value : String(value).split(',')),
    z.array(item).max(1000).optional(),
  )

/**
 * Address of the console, such as `https://gate.example.org/console`: site and path, without credentials or other parts in which a link
 * could hide something.
 */
export const consoleAddress = z
  .string()
  .max(200)
  .refine((value) => /^https?:\/\/[^\s/?#@\\<>"]+(\/[A-Za-z0-9._~/-]*)?$/.test(value) && URL.canParse(value), rule('url'))

/** Return whether a text is an IP address of either version. */
export const isIpAddress = (value: string): boolean => z.ipv4().safeParse(value).success || z.ipv6().safeParse(value).success

/**
 * Paging of every list: `page` from 1. Beyond row 10,000, and for records always, `after` with the cursor of the last answer can be used.
 */
export const pageQuery = z.object({
  page: z.coerce.number().int().min(1).max(1_000_000).default(1),
  size: z.coerce.number().int().min(1).max(PAGE_SIZE_MAX).default(PAGE_SIZE_DEFAULT),
})

/** Paging of the `find…List` calls, which also take `pageNo` (from 0) and `pageSize`. */
export const findQuery = z.object({
  page: z.number().int().min(1).max(1_000_000).optional(),
  size: z.number().int().min(1).max(PAGE_SIZE_MAX).optional(),
  pageNo: z.number().int().min(0).max(999_999).optional(),
  pageSize: z.number().int().min(1).max(PAGE_SIZE_MAX).optional(),
  after: z.string().max(200).optional(),
})

/** Return the page, counted from 1, of either paging style. */
export function pageOf(query: { page?: number; size?: number; pageNo?: number; pageSize?: number }): { page: number; size: number } {
  return {
    page: query.page ?? (query.pageNo === undefined ? 1 : query.pageNo + 1),
    size: query.size ?? query.pageSize ?? PAGE_SIZE_DEFAULT,
  }
}

/** Answer of a list. `totalExact: false`: there are at least `total` rows (records only); `next` is the cursor to continue with. */
export const pageData = <S extends z.ZodType>(row: S) =>
  z.object({
    total: z.number().int(),
    totalExact: z.boolean().optional(),
    content: z.array(row),
    page: z.number().int(),
    size: z.number().int(),
    next: z.string().optional(),
  })

/** A field of a change: a field that is left out stays as it was, and null restores the default. */
type Changed<S> =
  S extends z.ZodDefault<infer Inner>
    ? z.ZodOptional<z.ZodType<z.output<Inner>, z.input<Inner> | null>>
    : S extends z.ZodType
      ? z.ZodOptional<S>
      : never
type ChangedShape<Shape extends z.core.$ZodShape> = { [Field in keyof Shape]: Changed<Shape[Field]> }

function changed(schema: z.ZodType): z.ZodType {
  if (!(schema instanceof z.ZodDefault)) return schema.optional()
  const { defaultValue } = schema.def
  return (schema.unwrap() as z.ZodType)
    .nullish()
    .transform((value) => (value === null ? structuredClone(defaultValue) : value))
    .optional()
    .meta(schema.meta() ?? {})
}

/**
 * Return the same fields for a change, for any HTTP method. A field that is left out stays as it was; null, or an empty value where the
 * field accepts one, removes the value. A required field can be left out but not removed.
 */
export const changeOf = <Shape extends z.core.$ZodShape>(fields: z.ZodObject<Shape>): z.ZodObject<ChangedShape<Shape>> =>
  z.object(Object.fromEntries(Object.entries(fields.shape).map(([field, schema]) => [field, changed(schema as z.ZodType)]))) as z.ZodObject<
    ChangedShape<Shape>
  >

/** `data` of a POST that creates something. */
export const created = z.object({ id })
/** Body of a call for several records. */
export const ids = z.object({ ids: z.array(id).min(1).max(1000) })
/** `?id=`. */
export const idQuery = z.object({ id })
export const idParams = z.object({ id })
/** Input of a DELETE call for one record: `?id=`, or the id in the body (AMBIGUITIES 51). */
export const idToDelete = { query: idQuery.partial(), body: idQuery.partial().optional() }
