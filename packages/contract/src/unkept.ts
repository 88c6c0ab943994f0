/** Fields that a browser does not store in the draft of a form: secrets, and numbers that identify a person. */
import { globalRegistry, type z } from 'zod'
import type { Schema } from './call.ts'
import { definitionOf, maskKindOf } from './masking.ts'

/** Mark a field of a schema as a secret: `secret(z.string())`. Before or after `.optional()` and the like. */
export const secret = <S extends z.ZodType>(schema: S): S => schema.meta({ ...schema.meta(), 'x-secret': true }) as S

/** Return whether a schema is marked as a secret, through `optional`, `nullable`, `default` and unions. */
function isSecret(schema: Schema): boolean {
  if ((globalRegistry.get(schema as never) as { 'x-secret'?: true } | undefined)?.['x-secret'] === true) return true
  const { innerType, in: input, options } = definitionOf(schema)
  return [innerType, input, ...(options ?? [])].some((inner) => inner !== undefined && isSecret(inner))
}

/** Return the fields of a call's body that drafts do not store. */
export function unkeptFieldsOf(schema: Schema | undefined): string[] {
  const shape = (schema === undefined ? undefined : definitionOf(schema).shape) ?? {}
  return Object.entries(shape).flatMap(([name, field]) => (isSecret(field) || maskKindOf(field) === 'idNumber' ? [name] : []))
}
